# check.sh - read by the scripts of this folder: counts what fails.
fails=0

# check <name> <expected> <got>
check() {
    if [ "$2" != "$3" ]; then
        printf '%s:\n  expected: %s\n  got:      %s\n' "$1" "$2" "$3"
        fails=$((fails + 1))
    fi
}
