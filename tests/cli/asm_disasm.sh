#!/bin/sh
# waitgate asm and disasm: both directions, all kinds of input, errors with place and status.
set -u
. "$WAITGATE_ROOT/tests/cli/check.sh"

# run <command...>: standard output in $out, standard error in $err, status in $status
run() {
    out=$("$@" 2>err.txt)
    status=$?
    err=$(cat err.txt)
}

replay='ttreplay 16, 16, 0, 1'
check disasm "$replay" "$("$WAITGATE" disasm 0x04040101)"
check "disasm --ttinsn" "$replay" "$("$WAITGATE" disasm --ttinsn 0x10100404)"
check asm 0x04040101 "$("$WAITGATE" asm 'ttreplay 16,16,0,1')"
check "asm --ttinsn" 0x10100404 "$("$WAITGATE" asm --ttinsn 'ttreplay 16,16,0,1')"
check "asm stallwait" 0xa2400001 "$("$WAITGATE" asm 'ttstallwait 128, 1')"
check "asm semwait" 0xa6a1000a "$("$WAITGATE" asm 'ttsemwait 322, 2, 2')"

names='ttsemwait STALL_SYNC|STALL_MATH|STALL_SFPU, MATH_PACK, STALL_ON_MAX'
check "disasm --symbolic" "$names" "$("$WAITGATE" disasm --symbolic 0xa6a1000a)"
check "asm --symbolic" 0xa6a1000a "$("$WAITGATE" asm --symbolic "$names")"

# files, standard input, several arguments
printf 'ttnop\n\n# comment\n  ttstallwait STALL_CFG, THCON // comment\n' >good.s
both=$(printf '0x02000000\n0xa2400001')
check "asm file" "$both" "$("$WAITGATE" asm good.s)"
check "asm -" "$both" "$("$WAITGATE" asm - <good.s)"
check "asm, no argument" "$both" "$("$WAITGATE" asm <good.s)"
check "asm, two arguments" "$both" "$("$WAITGATE" asm ttnop 'ttstallwait 128 1')"
check "disasm, standard input" "$(printf 'ttnop\nttstallwait 128, 1')" \
    "$(printf '0x02000000\n; comment\na2400001 # comment\n' | "$WAITGATE" disasm)"
check "disasm of an illegal word" 'ttinsn 0xdeadbeef' "$("$WAITGATE" disasm deadbeef)"

# errors: file, line, column, expectation; exit status 1; the other lines are still done
printf 'ttnop\n\n  ttstalwait 1, 2\nttnop\n' >bad.s
run "$WAITGATE" asm bad.s
check "bad mnemonic" \
    "bad.s:3:3: error: unknown mnemonic 'ttstalwait'; did you mean 'ttstallwait'?" "$err"
check "bad mnemonic: status" 1 "$status"
check "bad mnemonic: output" "$(printf '0x02000000\n0x02000000')" "$out"
run "$WAITGATE" asm ttnop 'ttstallwait 1, 9000'
check "out of range" \
    'argument 2:1:16: error: operand 2 (wait_res) is 9000, expected 0..8191' "$err"
check "out of range: status" 1 "$status"
run "$WAITGATE" asm 'ttsemwait 1, 2'
check "wrong count" 'argument 1:1:15: error: ttsemwait takes 3 operands (stall_res, sem_sel, '\
'wait_sem_cond), got 2' "$err"
run "$WAITGATE" asm --ttinsn 'ttinsn 0xc0000000'
check "no .ttinsn form" \
    'argument 1:1:1: error: 0xc0000000 has no .ttinsn form, expected below 0xc0000000' "$err"
run "$WAITGATE" disasm 0x123456789
check "nine digits" 1 "$status"
run "$WAITGATE" disasm --ttinsn 0x00000003
check "not a .ttinsn" 1 "$status"
run sh -c 'printf "02000000\nxyz\n" | "$WAITGATE" disasm'
check "bad word" \
    'standard input:2:1: error: expected one hexadecimal word of up to 8 digits' "$err"
check "bad word: output" ttnop "$out"

# the command line itself
run "$WAITGATE"
check "no command: status" 2 "$status"
run "$WAITGATE" frobnicate
check "unknown command: status" 2 "$status"
run "$WAITGATE" asm --frobnicate
check "unknown option: status" 2 "$status"
run "$WAITGATE" --version
check "--version: status" 0 "$status"
for command in asm disasm isa timing; do
    run "$WAITGATE" $command --help
    check "$command --help: status" 0 "$status"
done

[ "$fails" -eq 0 ]
