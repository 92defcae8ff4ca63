#!/usr/bin/env bash
# How fast two builds find out whether puzzles of every kind have one solution: `validate --level unique -j1`, alternately, with
# reading and every check. Prints a table of rates by processor time, medians of 7, and their ratio.
#
#   benches/kinds.sh SEED OLD NEW [SET]...      OLD, NEW: programs; SET: some of those below, as KIND-SIDE or KIND-SIDE-minimal,
#                                               or a file of strings (hard killers: benches/killers.py)
#
# The puzzles are made by NEW out of the seed: "easy" ones are unique, of "minimal" ones no clue can be left out. Both builds read
# the same files; NEW reads each as often as makes it work about as long as OLD. GRIDMILL_KERNEL forces a kernel on both.
set -euo pipefail
seed=$1 old=$(realpath "$2") new=$(realpath "$3")
shift 3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# set, puzzles
all="
sudoku-6 20000
sudoku-8 20000
sudoku-9 50000
sudoku-9-minimal 20000
sudoku-16 4000
sudoku-16-minimal 100
jigsaw-9 10000
jigsaw-9-minimal 4000
killer-9 5000
killer-9-minimal 3000
killer-jigsaw-9 4000
killer-jigsaw-9-minimal 3000
kenken-4 20000
kenken-6 20000
kenken-6-minimal 20000
kenken-8 5000
kendoku-6 20000
kendoku-8 5000
str8ts-9 8000
str8ts-9-minimal 3000
"

# seconds of processor time: PROGRAM FILE...
seconds() {
    local TIMEFORMAT='%3U'
    { time "$1" validate --level unique --effort 10000000 -j1 -q "${@:2}" > "$folder/out" 2>&1 || cat "$folder/out" >&3; } 2>&1
}
median() { sort -n | sed -n 4p; }
exec 3>&2

echo "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(date -u +%F), seed $seed, kernel ${GRIDMILL_KERNEL:-best}"
echo
echo "| puzzles | number | old | new | ratio |"
echo "|---|--:|--:|--:|--:|"
for set in "$@"; do
    [ ! -f "$set" ] || all+="$set $(wc -l < "$set")"$'\n'
done
echo "$all" | while read -r name n; do
    [ -n "$name" ] || continue
    [ $# -eq 0 ] || [[ " $* " == *" $name "* ]] || continue
    kind=${name%-minimal} minimal=()
    [ "$kind" = "$name" ] || minimal=(--minimal)
    if [ -f "$name" ]; then
        cp "$name" "$folder/list"
    else
        "$new" gen -q --kind "${kind%-*}" --side "${kind##*-}" --unique "${minimal[@]}" --mix clues --seed "$seed" --count "$n" > "$folder/list"
    fi
    long=$(seconds "$old" "$folder/list") short=$(seconds "$new" "$folder/list")
    times=$(awk -v a="$long" -v b="$short" 'BEGIN { t = int(a / (b + 0.001)); print (t < 1 ? 1 : t > 50 ? 50 : t) }')
    for _ in $(seq "$times"); do cat "$folder/list"; done > "$folder/many"
    : > "$folder/old"
    : > "$folder/new"
    for _ in 1 2 3 4 5 6 7; do
        seconds "$old" "$folder/list" >> "$folder/old"
        seconds "$new" "$folder/many" >> "$folder/new"
    done
    awk -v name="${name##*/}" -v n="$n" -v times="$times" -v a="$(median < "$folder/old")" -v b="$(median < "$folder/new")" 'BEGIN {
        printf "| %s | %d | %.3g k/s | %.3g k/s | %.1f |\n", name, n, n / a / 1e3, n * times / b / 1e3, a * times / b }'
done
