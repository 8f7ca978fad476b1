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
check 2 'usage' --brisc "$k/brisc.elf" --until 12
check 2 'usage' --brisc "$k/brisc.elf" --dump 12
check 1 'case.yaml' "$work/case.yaml"
sed 's/^until/mode: clocked\nuntil/; s/: \([a-z0-9]*\.elf\)/: '"${kernels//\//\\/}"'\/token\/\1/' "$kernels/token/case.yaml" >"$work/clocked.yaml"
check 0 'cycles' "$work/clocked.yaml"
printf 'brisk: x\n' >"$work/bad.yaml"
check 1 'brisk' "$work/bad.yaml"
exit $failed
