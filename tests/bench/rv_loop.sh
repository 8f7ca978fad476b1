#!/bin/sh
# rv_loop.sh [RV_LOOP] - host instructions per RISC-V instruction of a register loop, counted by
# callgrind as the difference of two lengths. Fails above the limit.
set -eu
loop=${1:-$(dirname "$0")/../../build/tests/bench/rv_loop}
limit=1200 # hundredths

count() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$loop" "$@" 2>&1 |
        sed -n 's/.*Collected : //p'
}

for how in labels plain; do
    few=$(count 100000 $how)
    many=$(count 1100000 $how)
    hundredths=$(((many - few) / 10000))
    printf 'rv_loop_%s %d.%02d host instructions per instruction\n' $how $((hundredths / 100)) \
        $((hundredths % 100))
    if [ $how = labels ] && [ $hundredths -gt $limit ]; then
        echo "rv_loop: above the limit of 12" >&2
        exit 1
    fi
done
