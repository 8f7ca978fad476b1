#!/usr/bin/env bash
# command_line.sh WAITGATE KERNELS - running ELF files by options: the same as the case file, and what
# bad files and bad options are answered with.
set -u
waitgate=$1 kernels=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# check STATUS PATTERN ARGUMENTS...: exit status and a line of the output
check() {
    local want=$1 pattern=$2
    shift 2
    "$waitgate" run "$@" >"$work/out" 2>&1
    local got=$?
    if [ $got -ne "$want" ] || ! grep -q -e "$pattern" "$work/out"; then
        echo "run $*: status $got, expected $want with '$pattern'; it printed:"
        cat "$work/out"
        failed=1
    fi
}

k=$kernels/handshake
good=(--brisc "$k/brisc.elf" --trisc0 "$k/trisc0.elf" --trisc1 "$k/trisc1.elf" --trisc2 "$k/trisc2.elf")

check 0 'Tensix instructions' --brisc "$kernels/stale/brisc.elf" --trisc0 "$kernels/stale/trisc0.elf" \
    --max-steps 100000
# only B starts; it releases the others itself
check 0 'core B ' "${good[@]}" --until 0x1F000=0xFF --dump 0x20000:64="$work/dump"
[ "$(stat -c %s "$work/dump" 2>/dev/null)" = 64 ] || { echo "no dump of 64 bytes"; failed=1; }
check 4 'limit of steps' "${good[@]}" --until 0x1F000=0x12345678 --max-steps 50000
head -c 100 "$k/brisc.elf" >"$work/short.elf"
# all at once: the threads wait for semaphores that core B can no longer initialise
check 3 'nothing moves' "${good[@]}" --release all --until 0x1F000=0xFF
check 3 'thread T2.*held: ttadddmareg.*trisc2.c:[0-9]*.*by ttsemwait.*MATH_PACK.*owner: semaphore 1' "${good[@]}" \
    --release all --until 0x1F000=0xFF
check 1 'short.elf' --brisc "$work/short.elf"
echo 'not a program' >"$work/text.elf"
check 1 'text.elf' --brisc "$work/text.elf"
check 1 'missing.elf' --brisc "$work/missing.elf"
cp "$waitgate" "$work/host.elf"
check 1 'host.elf' --brisc "$work/host.elf"
check 1 'overlap' --brisc "$k/brisc.elf" --ncrisc "$k/brisc.elf"
check 1 '@' --brisc "$k/brisc.elf" --l1 "$work/text.elf"
check 2 'until: expected ADDR=VALUE .*, found .12.' --brisc "$k/brisc.elf" --until 12
check 2 'address of a word in L1' --brisc "$k/brisc.elf" --until 0x1F002=1
check 2 'address of a word in L1' --brisc "$k/brisc.elf" --until 0x180000=1
check 2 'dump: expected ADDR:LEN=FILE .*, found .12.' --brisc "$k/brisc.elf" --dump 12
check 2 'a piece of L1' --brisc "$k/brisc.elf" --dump "0x17FFF0:0x11=$work/dump"
check 2 'a piece of L1' --brisc "$k/brisc.elf" --dump "0:0xFFFFFFFF=$work/dump"
check 2 'release: expected all, found .some.' --brisc "$k/brisc.elf" --release some
for number in '' -1 0 12x 99999999999999999999; do
    check 2 'max-steps: expected a number from 1 up' --brisc "$k/brisc.elf" --max-steps "$number"
    check 2 'max-cycles: expected a number from 1 up' --brisc "$k/brisc.elf" --max-cycles "$number"
done
many=()
for i in {1..33}; do many+=(--until "$((4 * i))=1"); done
check 2 'no more than 32' --brisc "$k/brisc.elf" "${many[@]}"
# programs by options or one case file, not both
check 2 'unexpected argument' --brisc "$k/brisc.elf" "$k/trisc0.elf"
check 2 'unexpected argument' --brisc "$k/brisc.elf" "$k/case.yaml"
check 2 'one case file, found 2' "$k/case.yaml" "$k/case.yaml"
check 2 'a case file has its own' "$k/case.yaml" --until 0x1F000=1
check 1 'name the core' "$k/brisc.elf"
# limits of the command line count, not those of the case
check 4 'limit of steps' "$k/case.yaml" --max-steps 100
check 4 'limit of cycles' "$k/case.yaml" --max-cycles 100
# one help for both kinds of programs
check 0 'ignore KINDS' --help
check 0 'trisc0' --help
check 1 'case.yaml' "$work/case.yaml"
sed 's/^until/mode: clocked\nuntil/; s/: \([a-z0-9]*\.elf\)/: '"${kernels//\//\\/}"'\/token\/\1/' "$kernels/token/case.yaml" >"$work/clocked.yaml"
check 0 'cycles' "$work/clocked.yaml"
# numbers of a case; without time they would not count
(cat "$work/clocked.yaml"; echo 'timing: {LOAD_L1: 9}') >"$work/numbers.yaml"
check 0 '^ *LOAD_L1 *9 (typical' "$work/numbers.yaml" --report
check 0 '^ *LOAD_L1 *10 (typical' "$work/numbers.yaml" --report --timing LOAD_L1=10
check 1 'numbers.yaml:[0-9]*: timing: untimed, no number counts: leave out timing there, or --untimed here' \
    "$work/numbers.yaml" --untimed
printf 'brisk: x\n' >"$work/bad.yaml"
check 1 'brisk' "$work/bad.yaml"
exit $failed
