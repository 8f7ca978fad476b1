#!/bin/sh
# waitgate run: bad input of every kind, exit statuses, what goes where.
set -u
. "$WAITGATE_ROOT/tests/cli/check.sh"

# run <status> <text expected somewhere in the output> <words...>
run() {
    want=$1 text=$2
    shift 2
    "$WAITGATE" run "$@" >out.txt 2>err.txt
    status=$?
    if [ "$status" != "$want" ]; then
        printf '%s: expected status %s, got %s\n' "$*" "$want" "$status"
        cat err.txt
        fails=$((fails + 1))
    fi
    if [ -n "$text" ] && ! cat out.txt err.txt | grep -qF -- "$text"; then
        printf '%s: expected "%s" in:\n' "$*" "$text"
        cat out.txt err.txt
        fails=$((fails + 1))
    fi
}

# the command line
run 2 "expected one program"
run 2 "expected one program" a b
run 2 "usage:" --nonsense
run 2 "from 1 up" --max-cycles 0 a.tts
run 2 "from 1 up" --max-cycles -5 a.tts
run 2 "from 1 up" --max-cycles 12x a.tts
run 2 "unknown kind 'foo'" --stop-on undefined,foo a.tts
run 0 "exit status" --help

# files that cannot be read
run 1 "missing.tts" missing.tts
mkdir -p folder
run 1 "is a directory" folder
if [ "$(id -u)" != 0 ]; then
    : >closed.tts
    chmod 0 closed.tts
    run 1 "closed.tts" closed.tts
fi

# files that are not programs
: >empty.tts
run 1 "empty.tts:1:1: error: the file holds no program" empty.tts
head -c 65536 /dev/urandom >noise.tts
run 1 "noise.tts:" noise.tts
head -c 1000000 /dev/zero >zeros.tts
run 1 "zeros.tts:1:1: error: " zeros.tts
printf '.core T0\n  ttnop\n.cor T1\n' >section.tts
run 1 "section.tts:3:2: error: expected .core, .preset, .expect" section.tts
printf '.core T0\n  ttstallwait 128, 8192\n' >operand.tts
run 1 "operand.tts:2:" operand.tts
printf '.core T0\n  mopcfg = [1, 2, 3' >truncated.tts
run 1 "truncated.tts:2:20: error: expected ']' before the end" truncated.tts
printf '.core T0\n.repeat 5\n  ttnop\n' >open.tts
run 1 "open.tts:4:1: error: the .repeat of line 2 has no .end" open.tts
printf '.core T0\n  ttnop\n.expect\n  nowhere at 3\n' >label.tts
run 1 "label.tts:4:3: error: there is no label 'nowhere'" label.tts
run 1 "standard input:1:1: error" - <empty.tts

# many lines: comments are free, actions are counted
{ echo '.core T0'; yes '# comment' | head -n 100000; echo ' ttnop'; } >comments.tts
run 0 "4 cycles" comments.tts
{ echo '.core T0'; yes ' ttnop' | head -n 100000; } >long.tts
run 1 "long.tts:65536:2: error: more than 65534 actions" long.tts

# programs that do not end
printf '.core T0\n.repeat 1000000000\n.repeat 1000000000\n ttnop\n.end\n.end\n' >endless.tts
run 4 "the limit of cycles was reached" --max-cycles 5000 endless.tts
check "cycles at the limit" "endless.tts: 5000 cycles" "$(head -n 1 out.txt | cut -d, -f1)"
printf '.core T0\n wait 4000000000000\n ttnop\n' >sleep.tts
run 4 "10000000 cycles" sleep.tts
run 0 "4000000000004 cycles" --max-cycles 5000000000000 sleep.tts

# deadlock: who is held, by what, and who could clear it
cat >deadlock.tts <<'END'
.preset
  sem MATH_PACK = 0 max 1
.core T1
  ttsemwait STALL_SYNC, MATH_PACK, STALL_ON_ZERO
  ttsemget MATH_PACK
.core T0
  tensix_sync
  ttatgetm 1
END
run 3 "deadlock" deadlock.tts
grep -qF "T1 line 5 ttsemget 2: held since cycle 4 by ttsemwait 2, 2, 1 of line 4, waits for \
semaphore 1 (MATH_PACK) to be > 0; it is 0, never changed; nobody left can post it" err.txt ||
    { echo "deadlock report:"; cat err.txt; fails=$((fails + 1)); }
grep -qF "T0 line 8 ttatgetm 1: held since cycle 4, mutex-invalid" err.txt ||
    { echo "deadlock report:"; cat err.txt; fails=$((fails + 1)); }
run 3 "deadlock" --quiet --no-skip deadlock.tts
check "--quiet prints nothing on standard output" "" "$(cat out.txt)"

# expectations
printf '.core T0\n ttnop\n.expect\n cycles 5\n issued T0 = 1\n' >expect.tts
run 1 "expect.tts:4: expected cycles 5, got 4" expect.tts
check "one line per failure" 1 "$(grep -c expected err.txt)"
cat >data.tts <<'END'
.preset
  lreg 0 = 0x40000000
  src B 1 2 = 0x7f
  dst32 5 = 0x3f800000
  dst 0 15 = 0x1234
  l1 0x20 = 1 2 3
.core T0
  ttnop
.expect
  l1 0x20 = 1 2 4
  dst 0 = 0
  dst32 5 0..7 = 0x3f800001
  lreg 0 31 = 0x40000000
  lreg 0 30..31 = 0x40000000 0x40000001
  src B 1 0..2 0 = 0 0x7e 0x7f
END
run 1 "data.tts:10: expected l1 0x00028 = 0x00000004, got 0x00000003" data.tts
check "one line per failing expectation on data" 5 "$(grep -c expected err.txt)"
run 1 "data.tts:11: expected dst 0 15 = 0x0000, got 0x1234" data.tts
run 1 "data.tts:12: expected dst32 5 0 = 0x3F800001, got 0x3F800000; 8 of 8 cells differ" data.tts
run 1 "data.tts:14: expected lreg 0 31 = 0x40000001, got 0x40000000" data.tts
run 1 "data.tts:15: expected src B 1 0 1 = 0x0007E, got 0x00000" data.tts
printf '.preset\n dst 1024 = 0\n' >row.tts
run 1 "row.tts:2:6: error: a row of Dst must be 0..1023" row.tts
printf '.core T0\n ttsempost 2\n.expect\n cycles 4\n' >fault.tts
run 1 "fault.tts:2: expected no fault, got SEM_ABOVE_MAX" fault.tts
run 0 "" --ignore contract fault.tts
run 5 "stopped by a diagnostic" --stop-on contract fault.tts

# outputs
printf '.core T0\n ttnop\n' >good.tts
run 0 "T0: 1 issued" good.tts
run 0 "T0: 1 issued" - <good.tts
run 0 '"cycles": 4' --json good.tts
run 0 "go         ttnop" --trace good.tts
run 0 "" --trace=trace.txt --quiet good.tts
check "trace in a file" 2 "$(wc -l <trace.txt | tr -d ' ')"
check "nothing else printed" "" "$(cat out.txt err.txt)"
# a REPLAY's count, whether it records or plays; the MOP's own word; the word 0
printf '.core T0\n ttreplay 0, 16, 0, 1\n.repeat 16\n ttnop\n.end\n ttreplay 0, 16, 0, 0\n ttinsn 0\n' >words.tts
run 0 "replay     ttreplay 0, 16, 0, 1                count 16" --trace words.tts
run 0 "replay     ttreplay 0, 16, 0, 0                count 16" --trace words.tts
for event in push go diag; do
    run 0 "$(printf '%-9s  ttinsn 0x00000000' $event)" --trace words.tts
done
printf '.core T0\n mopcfg 0 = 1\n mopcfg 1 = 2\n mopcfg 5 = ttnop\n ttmop 1, 0, 0\n' >mop.tts
run 0 "mop        ttmop 1, 0, 0" --trace mop.tts
run 1 "nowhere" --trace=nowhere/trace.txt good.tts

# numbers of the machine: set, forced, refused, reported
run 0 "SRC_RELEASE             3 (typical 2)" --timing SRC_RELEASE=3 good.tts
run 0 '{"name": "MVMUL.latency", "value": 6, "typical": 5}' --json --timing MVMUL.latency=6! good.tts
run 0 "" --quiet --timing SRC_RELEASE=1 --timing SRC_RELEASE=5 good.tts
run 2 "did you mean 'SRC_RELEASE'?" --timing SRC_RELEAS=3 good.tts
run 2 "outside of its range of 1 to 5 (typical 2); 8! forces it" --timing SRC_RELEASE=8 good.tts
run 2 "room for 1 to 8 only" --timing SRC_RELEASE=9! good.tts
run 2 "Q1_DEPTH is structural" --timing Q1_DEPTH=32 good.tts
run 2 "SFPMAD.latency follows SFPU_LATE" --timing SFPMAD.latency=3! good.tts
for words in SRC_RELEASE SRC_RELEASE= =3 SRC_RELEASE=x SRC_RELEASE=-1 SRC_RELEASE=3!! SRC_RELEASE=4294967296; do
    run 2 "expected NAME=VALUE or NAME=VALUE!" --timing "$words" good.tts
done
units=$WAITGATE_ROOT/tests/tts/units # WRCFG without a wait behind SETDMAREG: the new value, the old one
run 0 "the new value, with 0 cycles to spare" "$units/gpr_no_wait.tts"
run 1 "1 cycle too early: the old value" --timing WRCFG_READ_LAG=0 "$units/gpr_no_wait.tts"
run 0 "2 cycles too early: the old value" "$units/stale_gpr.tts"
run 0 "3 cycles too early: the old value" --timing WRCFG_READ_LAG=0 "$units/stale_gpr.tts"
run 1 "the new value, with 0 cycles to spare" --timing ADDDMAREG.issue=1! "$units/stale_gpr.tts"
if "$WAITGATE" run --quiet --timing UNPACK_PIPE=3 "$WAITGATE_ROOT/tests/tts/units/data_unpack_bf16.tts" 2>/dev/null; then
    echo "--timing changes nothing"
    fails=$((fails + 1))
fi

# numbers that the program brings along; the command line counts more
printf '.timing SRC_RELEASE = 3\n.timing MVMUL.latency = 6!\n' | cat - good.tts >numbers.tts
run 0 "SRC_RELEASE             3 (typical 2)" numbers.tts
run 0 '{"name": "MVMUL.latency", "value": 6, "typical": 5}' --json numbers.tts
run 0 "SRC_RELEASE             4 (typical 2)" --timing SRC_RELEASE=4 numbers.tts
printf '.timing SRC_RELEASE = 8\n' | cat - good.tts >numbers.tts
run 1 "numbers.tts:1:9: error: SRC_RELEASE = 8 is outside" numbers.tts
# ... and without time none counts
run 2 "untimed, no number counts: leave out --timing, or --untimed" --untimed --timing SRC_RELEASE=3 --brisc b.elf

# the four example words of the semaphore page are .ttinsn forms
ttinsn() {
    check "disasm --ttinsn $1" "$2" "$("$WAITGATE" disasm --ttinsn "$1")"
    check "asm --ttinsn '$2'" "$1" "$("$WAITGATE" asm --ttinsn "$2")"
}
ttinsn 0x8c800022 'ttseminit 2, 0, 2'
ttinsn 0x90000022 'ttsempost 2'
ttinsn 0x94000022 'ttsemget 2'
ttinsn 0x98020026 'ttsemwait 1, 2, 1'

# output that cannot be written is not passed over
if [ -c /dev/full ]; then
    printf '.core T0\n  ttnop\n' >one.tts
    for words in "run one.tts" "run --json one.tts" "asm ttnop" "isa" "timing" "--version" "--help"; do
        # shellcheck disable=SC2086
        "$WAITGATE" $words >/dev/full 2>err.txt
        check "$words >/dev/full: status" 1 $?
        check "$words >/dev/full: message" "waitgate: standard output" "$(cut -d: -f1,2 err.txt)"
    done
fi

exit $((fails != 0))
