"""faults.py - where a source text can be made wrong in a small way, and how.

A fault replaces one piece of text by another and leaves the number of lines as it was. Comments, strings, asserts,
preprocessor conditions, bounds of declared arrays and the evidence of tables are left alone: a test cannot see them.
"""
import re
from collections import defaultdict, namedtuple

# operator: the kind of fault; start, end: the piece of text; to: what stands there instead
Fault = namedtuple("Fault", "operator start end to")
Token = namedtuple("Token", "kind text start end")

TOKEN = re.compile(r"""
    (?P<skip>/\*.*?\*/|//[^\n]*|\\\n|\s+)
  | (?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
  | (?P<number>\.?\d(?:[eEpP][+-]|[\w.])*)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<mark><<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|\#\#|.)""", re.S | re.X)
DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(\w+)(?:\\\n|/\*.*?\*/|[^\n])*", re.M | re.S)

KEYWORDS = set("""return case else sizeof goto do if while for switch break continue default typedef struct union enum
    static const inline extern void int char unsigned signed long short float double bool volatile restrict register
    _Static_assert static_assert _Bool _Alignas""".split())
TYPES = set("void int char unsigned signed long short float double bool const FILE size_t".split())
ASSERTS = re.compile(r"(static_|_Static_)?assert\w*|WG_ASSERT|__attribute__|LIKELY_ASSERT")
EVIDENCE = {"DOCUMENTED", "MEASURED", "INFERRED", "GUESSED", "DONE"}

SWAPS = {"<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"), "==": ("!=",), "!=": ("==",)}
ARITHMETIC = {"+": "-", "-": "+", "*": "+", "/": "*", "%": "/", "+=": "-=", "-=": "+=", "++": "--", "--": "++",
              "*=": "+=", "/=": "*="}
BITS = {"<<": ">>", ">>": "<<", "&": "|", "|": "&", "^": "|", "&=": "|=", "|=": "&=", "^=": "|=", "<<=": ">>=",
        ">>=": "<<="}
LOGIC = {"&&": "||", "||": "&&"}


def tokens(text):
    """The tokens of a text; of directives only the body of a #define."""
    blank = list(text)
    for match in DIRECTIVE.finditer(text):
        head = re.match(r"\s*#\s*define\s+\w+(\([^)]*\))?", match.group(0))
        end = match.start() + head.end() if head else match.end()
        for i in range(match.start(), end):
            if blank[i] != "\n":
                blank[i] = " "
    found = []
    for match in TOKEN.finditer("".join(blank)):
        if match.lastgroup != "skip":
            found.append(Token(match.lastgroup, match.group(0), match.start(), match.end()))
    return found


class Source:
    """One text and the faults that can be planted in it."""

    def __init__(self, name, text):
        self.text = text
        self.table = name.endswith(".def")
        self.tokens = tokens(text)
        self.pair = self.pairs()
        self.body = self.bodies()
        self.left_out = self.leave_out()
        self.found = []

    def pairs(self):
        """Index of the bracket that belongs to each bracket; a text with odd brackets has fewer."""
        pair, open_at, self.in_round = {}, [], set()
        closing = {")": "(", "]": "[", "}": "{"}
        for i, token in enumerate(self.tokens):
            if open_at and self.tokens[open_at[-1]].text == "(":
                self.in_round.add(i)
            if token.text in "([{" and token.kind == "mark":
                open_at.append(i)
            elif token.text in closing and token.kind == "mark":
                while open_at and self.tokens[open_at[-1]].text != closing[token.text]:
                    open_at.pop()
                if open_at:
                    pair[i] = open_at.pop()
                    pair[pair[i]] = i
        return pair

    def bodies(self):
        """For each token: does it stand in the body of a function?"""
        inside = [False] * len(self.tokens)
        i = 0
        while i < len(self.tokens):
            if self.is_mark(i, "{") and i and self.is_mark(i - 1, ")") and i in self.pair:
                for k in range(i, self.pair[i] + 1):
                    inside[k] = True
                i = self.pair[i]
            i += 1
        return inside

    def leave_out(self):
        out = set()
        for i, token in enumerate(self.tokens):
            if token.kind == "name" and ASSERTS.fullmatch(token.text) and i + 1 in self.pair:
                out.update(range(i, self.pair[i + 1] + 1))
            if self.is_mark(i, "[") and i in self.pair and self.declares(i):
                out.update(range(i, self.pair[i] + 1))
        return out

    def is_mark(self, i, text):
        return 0 <= i < len(self.tokens) and self.tokens[i].kind == "mark" and self.tokens[i].text == text

    def is_name(self, i, *names):
        return 0 <= i < len(self.tokens) and self.tokens[i].kind == "name" and \
            (not names or self.tokens[i].text in names)

    def is_type(self, i):
        return self.is_name(i) and (self.tokens[i].text in TYPES or self.tokens[i].text.endswith("_t")
                                    or self.is_name(i - 1, "struct", "enum", "union"))

    def begin(self, i):
        """The first token of the statement in which token i stands."""
        while i > 0 and not (self.tokens[i - 1].kind == "mark" and self.tokens[i - 1].text in ";{}"):
            i -= 1
        return i

    def declares(self, bracket):
        """Is this [ the bound of an array that is being declared?"""
        start = self.begin(bracket)
        between = self.tokens[start:bracket]
        return len(between) >= 2 and not any(t.text in ("=", "(", "return") for t in between) and \
            self.is_declaration(start)

    def is_declaration(self, i):
        if not self.is_name(i):
            return False
        if self.tokens[i].text in KEYWORDS - {"return", "break", "continue", "goto"} or self.is_type(i):
            return True
        return self.is_name(i + 1) or (self.is_mark(i + 1, "*") and self.is_name(i + 2) and
                                       self.tokens[i + 3:i + 4] and self.tokens[i + 3].text in ("=", ";", ","))

    def has_left_operand(self, i):
        """Does something that has a value end in front of token i?"""
        if i == 0:
            return False
        before = self.tokens[i - 1]
        if before.kind == "number":
            return True
        if before.kind == "name":
            return before.text not in KEYWORDS and not self.is_type(i - 1)
        if before.text == ")" and i - 1 in self.pair:
            opening = self.pair[i - 1]
            cast = self.is_type(i - 2) or self.is_mark(i - 2, "*")
            control = self.is_name(opening - 1, "if", "while", "for", "switch")
            return not control and (not cast or self.is_name(opening - 1, "sizeof"))
        return before.text == "]"

    def add(self, operator, first, last, to):
        """Replace the tokens first..last."""
        if first in self.left_out:
            return
        start, end = self.tokens[first].start, self.tokens[last].end
        missing = self.text.count("\n", start, end) - to.count("\n")
        if 0 <= missing <= 3 and "\\\n" not in self.text[start:end]:
            self.found.append(Fault(operator, start, end, to + "\n" * missing))

    def between(self, first, last):
        return self.text[self.tokens[first].start:self.tokens[last].end]

    # The kinds of faults.

    def marks(self, i):
        text = self.tokens[i].text
        if text in ("++", "--"):
            self.add("arithmetic", i, i, ARITHMETIC[text])
        elif text == "!" or (text == "~" and not self.has_left_operand(i)):
            self.add("negation", i, i, "")
        elif not self.has_left_operand(i):
            return
        elif text in SWAPS:
            for to in SWAPS[text]:
                self.add("relation", i, i, to)
        elif text in ARITHMETIC:
            self.add("arithmetic", i, i, ARITHMETIC[text])
        elif text in BITS:
            self.add("bits", i, i, BITS[text])
        elif text in LOGIC:
            self.add("logic", i, i, LOGIC[text])

    def numbers(self, i):
        match = re.fullmatch(r"(0[xX][0-9a-fA-F]+|\d+)([uUlL]*)", self.tokens[i].text)
        if not match:
            if re.fullmatch(r"[\d.]+(e[-+]?\d+)?f?", self.tokens[i].text):
                self.add("constant", i, i, f"({self.tokens[i].text} + 1)")
            return
        digits, suffix = match.groups()
        if digits.lower().startswith("0x") or not (digits != "0" and digits.startswith("0")):
            value = int(digits, 0)
        else:
            value = int(digits, 8)
        style = "0x{:x}" if digits.lower().startswith("0x") else "{}"
        values = {value + 1} | ({value - 1} if value else set())
        if style != "{}" and value > 1:
            values |= {value & (value - 1)} | ({value | 1 << value.bit_length()} if value.bit_length() < 31 else set())
        for to in sorted(values - {value}):
            self.add("constant", i, i, style.format(to) + suffix)

    def names(self, i):
        text = self.tokens[i].text
        if text in ("true", "false"):
            self.add("constant", i, i, "false" if text == "true" else "true")
        elif text in ("if", "while") and i + 1 in self.pair:
            first, last = i + 1, self.pair[i + 1]
            self.add("condition", first, last, f"(!{self.between(first, last)})")
        elif text == "return" and self.body[i] and not self.is_mark(i + 1, ";"):
            self.returns(i)
        elif self.body[i] and i + 1 in self.pair and self.is_mark(i + 1, "(") and text not in KEYWORDS:
            self.arguments(i)

    def end_of_statement(self, i):
        """Index of the ; that ends the statement begun at i, or None if it is no simple statement."""
        while i < len(self.tokens):
            token = self.tokens[i]
            if token.kind == "mark":
                if token.text == ";":
                    return i
                if token.text in "{})]":
                    return None
                if token.text in "([":
                    if i not in self.pair:
                        return None
                    i = self.pair[i]
            i += 1
        return None

    def returns(self, i):
        end = self.end_of_statement(i)
        if end is None:
            return
        value = self.between(i + 1, end - 1)
        if value not in ("true", "false") and not re.fullmatch(r"[\dxXa-fA-FuUlL]+", value):
            self.add("return", i + 1, end - 1, "0")
            self.add("return", i + 1, end - 1, f"!({value})")

    def statements(self, i):
        """Delete the simple statement that begins at token i."""
        if not self.body[i] or not i or i in self.in_round:
            return
        before = self.tokens[i - 1]
        starts = before.text in (";", "{", "}") or self.is_name(i - 1, "else")
        if before.text == ")" and i - 1 in self.pair:
            starts = self.is_name(self.pair[i - 1] - 1, "if", "for", "while")
        if before.text == ":" and self.is_name(self.begin(i), "case", "default"):
            starts = True
        token = self.tokens[i]
        if not starts or (token.kind == "mark" and token.text not in ("*", "++", "--")):
            return
        if token.kind == "name" and (token.text in KEYWORDS - {"break", "continue", "return"}
                                     or self.is_declaration(i)):
            return
        if token.text == "return" and not self.is_mark(i + 1, ";"):
            return
        if ASSERTS.fullmatch(token.text):
            return
        end = self.end_of_statement(i)
        if end is not None and end > i:
            self.add("delete", i, end, ";")

    def parts(self, opening):
        """The comma separated parts between a bracket and its partner, as (first, last) token indices."""
        parts, start, i = [], opening + 1, opening + 1
        while i < self.pair[opening]:
            if self.is_mark(i, ","):
                parts.append((start, i - 1))
                start = i + 1
            i = self.pair.get(i, i) if self.tokens[i].text in "([{" else i
            i += 1
        return parts + [(start, self.pair[opening] - 1)]

    def arguments(self, i):
        parts = self.parts(i + 1)
        if any(last < first or self.is_declaration(first) and first != last for first, last in parts):
            return
        for one, two in zip(parts, parts[1:]):
            a, b = self.between(*one), self.between(*two)
            if a != b and '"' not in a + b:
                gap = self.text[self.tokens[one[1]].end:self.tokens[two[0]].start]
                self.add("arguments", one[0], two[1], b + gap + a)

    def rows(self):
        """Columns of a table that hold one name: another name of the same column."""
        columns = defaultdict(list)
        for i, token in enumerate(self.tokens):
            if token.kind == "name" and self.is_mark(i + 1, "(") and i + 1 in self.pair and not self.body[i] and \
                    not any(a < i < b for a, b in self.spans):
                self.spans.append((i + 1, self.pair[i + 1]))
                for column, (first, last) in enumerate(self.parts(i + 1)):
                    if first == last and self.tokens[first].kind == "name":
                        columns[token.text, column].append(first)
        for places in columns.values():
            names = [self.tokens[i].text for i in places]
            kinds = sorted(set(names))
            if len(kinds) == len(names) or set(kinds) & EVIDENCE:
                continue # what the row is called, or where a number comes from
            for i in places:
                at = kinds.index(self.tokens[i].text)
                self.add("column", i, i, kinds[(at + 1) % len(kinds)])

    def faults(self):
        self.found, self.spans = [], []
        for i, token in enumerate(self.tokens):
            if token.kind == "mark":
                self.marks(i)
            elif token.kind == "number":
                self.numbers(i)
            elif token.kind == "name":
                self.names(i)
            if token.kind != "string":
                self.statements(i)
        if self.table:
            self.rows()
        return self.found


def find(name, text):
    """All faults of a text, in the order in which they stand there."""
    return sorted(set(Source(name, text).faults()), key=lambda f: (f.start, f.end, f.to))


def function(name, text, at):
    """First and last line of the function body in which a place lies, or None."""
    source = Source(name, text)
    for i, token in enumerate(source.tokens):
        if source.is_mark(i, "{") and source.body[i] and i in source.pair and not source.body[i - 1]:
            if token.start <= at < source.tokens[source.pair[i]].end:
                return text.count("\n", 0, token.start) + 1, text.count("\n", 0, source.tokens[source.pair[i]].end) + 1
    return None
