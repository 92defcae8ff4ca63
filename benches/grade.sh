#!/usr/bin/env bash
# Grades puzzles on one core: `gridmill validate --level unique --add grade -j 1`, from a file in /dev/shm to /dev/null, in alternation with
# other programs. Prints a table with medians of RUNS runs (default 7) of processor time, and the rivals' times as multiples.
#
#   [PROGRAM=target/release/gridmill] [RUNS=7] [RIVALS='NAME=COMMAND;...'] benches/grade.sh [LIST]...
#
# A rival's COMMAND is called with a file of puzzles, one of 81 characters on each line with `.` for an empty cell. LIST: files of
# puzzles, in addition to those that `gridmill gen` makes: 100,000 of --unique, and 20,000 of --minimal.
set -euo pipefail
cd "$(dirname "$0")/.."
program=${PROGRAM:-target/release/gridmill} runs=${RUNS:-7}
folder=$(mktemp -d -p /dev/shm)
trap 'rm -rf "$folder"' EXIT
"$program" gen -q --unique --mix clues --format plain --count 100000 | tr 0 . > "$folder/unique"
"$program" gen -q --unique --minimal --mix clues --format plain --count 20000 | tr 0 . > "$folder/minimal"
for list in "$@"; do grep -v '^#' "$list" | cut -c 1-81 | tr 0 . > "$folder/$(basename "$list")"; done

# Processor time of a command, in seconds.
seconds() {
    local TIMEFORMAT='%U %S'
    { time "$@" > /dev/null 2> /dev/null; } 2>&1 | awk '{ print $1 + $2 }'
}
median() { sort -n "$1" | sed -n "$(((runs + 1) / 2))p"; }
names=() commands=()
while IFS='=' read -r -d ';' name command; do
    if [ -n "$name" ]; then names+=("$name"); commands+=("$command"); fi
done <<< "${RIVALS:-};"

echo "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(date -u +%F), $("$program" --version | sed -n 's/^kernel in use: //p')"
echo
printf '| list | puzzles | gridmill |'; for name in "${names[@]}"; do printf ' %s |' "$name"; done; echo
printf '|---|--:|--:|'; for name in "${names[@]}"; do printf -- '--:|'; done; echo
for list in "$folder"/*; do
    puzzles=$(wc -l < "$list")
    rm -f "$folder"/.times.*
    for _ in $(seq "$runs"); do
        seconds "$program" validate -q -j 1 --level unique --add grade "$list" >> "$folder/.times.ours"
        # shellcheck disable=SC2086 # a command with its arguments
        for at in "${!names[@]}"; do seconds ${commands[at]} "$list" >> "$folder/.times.$at"; done
    done
    ours=$(median "$folder/.times.ours")
    printf '| %s | %d | %.0f k/s |' "$(basename "$list")" "$puzzles" "$(awk "BEGIN { print $puzzles / $ours / 1e3 }")"
    for at in "${!names[@]}"; do
        awk -v n="$puzzles" -v ours="$ours" -v theirs="$(median "$folder/.times.$at")" 'BEGIN { printf " %.1f k/s, %.1f x |", n / theirs / 1e3, theirs / ours }'
    done
    echo
done
