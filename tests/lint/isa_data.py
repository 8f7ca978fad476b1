#!/usr/bin/env python3
"""Compare src/isa/tensix.def with the vendor's instruction data, where that is present.

Looks for ../shared/data beside the tree (or --data FOLDER): tensix_isa.json for names, opcodes and
field positions, tensix_assembly.yaml for names, opcodes, operand names and start bits. Every
difference must be in EXPLAINED below, and every line there must be a real difference.
"""
import json
import os
import re
import sys

import tree

# What differs and why: instruction -> field -> reason. "*" stands for any instruction.
EXPLAINED_JSON = {
    "MOP": {
        "zmask_lo16_or_loop_count": "the JSON lost the width: 16 bits",
        "loop_count": "the JSON lost the width: 7 bits",
    },
    "MOP_CFG": {"zmask_hi16": "the JSON lost the width: 16 bits"},
    "REPLAY": {
        "len": "the JSON lost the width: 10 bits, of which 6 count",
        "start_idx": "the JSON lost the width: 10 bits, of which 5 count",
    },
    "ZEROACC": {"clear_mode": "bit 21 selects 32-bit Dst in the vendor's CLR_ALL_32B = 7"},
    "UNPACR_NOP": {
        "set_dvalid": "bits 11:9 are value bits in the register-write form",
        "msg_clr_cnt": "bit 15 is an address bit in the register-write form",
        "stream_id": "bit 22 is an address bit in the register-write form",
    },
    "STALLWAIT": {"wait_res": "C12 (configuration unit) is missing in the JSON"},
    "SEMWAIT": {"sem_sel": "13 bits are decoded; eight semaphores exist"},
    "*": {
        "imm12_math": "the vendor's operand has 12 bits; the JSON keeps those that are used",
        "lreg_c": "a vendor operand that some instructions ignore",
        "instr_mod1": "a vendor operand that some instructions ignore",
        "dest_reg_addr": "a vendor operand that SFPLUT ignores",
        "thread_override": "no operand in the vendor's syntax; in the ISA documents",
        "mod1_mirror": "no operand in the vendor's syntax; in the ISA documents",
    },
}
EXPLAINED_YAML = {
    "*": {
        "thread_override": "no operand in the vendor's syntax; in the ISA documents",
        "mod1_mirror": "no operand in the vendor's syntax; in the ISA documents",
        "single_data_reg": "no operand in the vendor's syntax; in the ISA documents",
    },
}
# Names that no rule turns into ours.
RENAMED = {"op_bis_const": "op_b_is_const", "op_areg_index": "op_a_reg_index",
           "op_breg_index": "op_b_reg_index", "reg_index16b": "reg_index_16b",
           "src_clrval_ctrl": "src_clr_val_ctrl"}


def snake(name):
    """OvrdThreadId, Ch0_X, "Mov block selection" -> ovrd_thread_id, ch0_x, mov_block_selection."""
    name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name)
    name = re.sub(r"[\s_]+", "_", name).lower()
    return RENAMED.get(name, name)


def ours(root):
    """name -> (opcode, {field: (lo, width)}) from tensix.def."""
    table, name = {}, None
    for line in tree.read(root, "src/isa/tensix.def").splitlines():
        match = re.match(r"INSN\((\w+), (0x\w+), ", line)
        if match:
            name = match.group(1)
            table[name] = (int(match.group(2), 16), {})
        match = re.match(r"\s+H?FIELD\((\w+), (\d+), (\d+), ", line)
        if match:
            table[name][1][match.group(1)] = (int(match.group(2)), int(match.group(3)))
    return table


def from_json(path):
    """name -> (opcode, {field: (lo, width)} or None if the file does not say)."""
    table = {}
    with open(path, encoding="utf-8") as file:
        for name, entry in json.load(file).items():
            fields = None
            if "args" in entry:
                fields = {}
                for field, bits in entry["args"].items():
                    high, low = map(int, bits.split(":"))
                    fields[field] = (low, high - low + 1)
            table[name] = (entry["opcode"], fields)
    return table


def from_yaml(path):
    """name -> (opcode, {operand: start bit}): just enough YAML for this one file."""
    table, anchors, name = {}, {}, None
    with open(path, encoding="utf-8") as file:
        for line in file:
            match = re.match(r"([A-Z]\w*):", line)
            if match:
                name, fields = match.group(1), {}
                table[name] = [None, fields]
                continue
            if not name or line.lstrip().startswith("#"):
                continue
            match = re.match(r"\s+op_binary:\s*(\w+)", line)
            if match:
                table[name][0] = int(match.group(1), 0)
            match = re.match(r"\s+arguments:\s*([&*])(\w+)", line)
            if match and match.group(1) == "&":
                anchors[match.group(2)] = fields
            elif match:
                table[name][1] = anchors[match.group(2)]
            match = re.match(r"\s+-\s+name:\s*([\w ]+?)\s*(#.*)?$", line)
            if match:
                operand = snake(match.group(1))
            match = re.match(r"\s+start_bit:\s*(\d+)", line)
            if match:
                fields[operand] = int(match.group(1))
    return table


class Comparison:
    def __init__(self, source, explained):
        self.source, self.explained = source, explained
        self.errors, self.used = [], set()

    def differs(self, insn, field, text):
        for key in (insn, "*"):
            if field in self.explained.get(key, {}):
                self.used.add((key, field))
                return
        self.errors.append(f"{self.source}: {insn}: {field}: {text}")

    def finish(self):
        for key, fields in self.explained.items():
            for field in fields:
                if (key, field) not in self.used:
                    self.errors.append(f"{self.source}: {key}.{field} is explained but the same")
        return self.errors


def compare(table, other, comparison, same_field):
    for name in sorted(set(table) ^ set(other)):
        comparison.errors.append(f"{comparison.source}: {name} is only on one side")
    for name in sorted(set(table) & set(other)):
        opcode, fields = table[name]
        if opcode != other[name][0]:
            comparison.errors.append(f"{comparison.source}: {name}: opcode")
        if other[name][1] is None:
            continue
        for field in sorted(set(fields) | set(other[name][1])):
            here, there = fields.get(field), other[name][1].get(field)
            if here is None or there is None or not same_field(here, there):
                comparison.differs(name, field, f"{here} here, {there} there")


def main():
    args = tree.options(__doc__, ("--data", "folder of the vendor's data"))
    data = args.data or os.path.join(os.path.dirname(args.root), "shared", "data")
    paths = [os.path.join(data, name) for name in ("tensix_isa.json", "tensix_assembly.yaml")]
    if not all(map(os.path.isfile, paths)):
        print(f"no vendor data in {data}: nothing to compare with")
        sys.exit(tree.SKIPPED)
    table = ours(args.root)
    by_json = Comparison("tensix_isa.json", EXPLAINED_JSON)
    compare(table, from_json(paths[0]), by_json, lambda here, there: here == there)
    by_yaml = Comparison("tensix_assembly.yaml", EXPLAINED_YAML)
    compare(table, from_yaml(paths[1]), by_yaml, lambda here, there: here[0] == there)
    tree.finish(by_json.finish() + by_yaml.finish(), len(table))


if __name__ == "__main__":
    main()
