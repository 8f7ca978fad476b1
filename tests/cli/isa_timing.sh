#!/bin/sh
# waitgate isa and timing: docs/isa.md is current, every row is printed once.
set -u
. "$WAITGATE_ROOT/tests/cli/check.sh"

"$WAITGATE" isa --markdown >isa.md || exit 1
if ! cmp -s isa.md "$WAITGATE_ROOT/docs/isa.md"; then
    echo "docs/isa.md is not current: waitgate isa --markdown >docs/isa.md"
    diff isa.md "$WAITGATE_ROOT/docs/isa.md" | head -20
    fails=1
fi
check "isa: lines" 137 "$("$WAITGATE" isa | wc -l)"
check "isa NAME: title" '### STALLWAIT' "$("$WAITGATE" isa ttstallwait | head -1)"
"$WAITGATE" isa NOSUCH >/dev/null 2>&1
check "isa of no instruction: status" 1 $?

rows=$(grep -c '^TIMING(' "$WAITGATE_ROOT/src/isa/timing.def")
"$WAITGATE" timing >timing.txt || exit 1
printed=$(grep -cE ' (documented|measured|inferred|guessed)  ' timing.txt)
check "timing: rows" $((rows + 2 * 137)) "$printed"
sum=0
for n in $(tail -1 timing.txt | grep -oE '[0-9]+'); do
    sum=$((sum + n))
done
check "timing: counts" "$printed" "$sum"
check "timing --evidence guessed" "$(grep -c ' guessed  ' timing.txt)" \
    "$("$WAITGATE" timing --evidence guessed | grep -cE ' (documented|measured|inferred|guessed)  ')"
"$WAITGATE" timing --evidence hoped >/dev/null 2>&1
check "timing of unknown evidence: status" 2 $?

[ "$fails" -eq 0 ]
