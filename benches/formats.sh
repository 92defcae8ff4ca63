#!/usr/bin/env bash
# Measures how many strings of the formats of other programs, and of large sides, `convert -j1` reads a second: processor time for
# detecting, decoding, all checks and writing v2. Prints a table of medians of RUNS runs (default 5).
#
#   benches/formats.sh [GRIDMILL]
#
# Strings of formats that gridmill writes are generated; those of the others are the samples in `data`.
set -euo pipefail
cd "$(dirname "$0")/.."
program=$(realpath "${1:-target/release/gridmill}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
exec 3>&2

made() { # FORMAT KIND [FLAG]...: prints strings
    "$program" gen -q --kind "$2" --mix clues --count 200 --seed 7 "${@:3}" | "$program" convert -q --lossy --to "$1"
}
noted() { # FORMAT KIND: prints strings of boards in progress
    "$program" gen -q --kind "$2" --mix progress --count 200 --seed 7 | "$program" convert -q --lossy --to "$1"
}
exchange() { made plain sudoku | tr . 0 | sed 's|^|https://sudokuexchange.com/play/?s=|'; }
sample() { grep -E "$2" "data/$1.txt"; } # NAME PATTERN
seconds() {
    local TIMEFORMAT='%3U'
    { time "$program" convert -q -j1 --lossy --bad stop "$1" > "$folder/out" 2> "$folder/errors" || cat "$folder/errors" >&3; } 2>&1
}
row() { # WHAT COMMAND...: prints the row for the strings that a command prints
    "${@:2}" > "$folder/strings"
    local count time=0
    cp "$folder/strings" "$folder/many"
    while awk -v time="$time" 'BEGIN { exit time >= 0.5 }'; do
        cat "$folder/many" "$folder/many" "$folder/many" "$folder/many" > "$folder/more"
        mv "$folder/more" "$folder/many"
        time=$(seconds "$folder/many")
    done
    count=$(wc -l < "$folder/many")
    [ "$(wc -l < "$folder/out")" = "$count" ] || { echo "$1: not all strings are read" >&2; exit 1; }
    time=$(for _ in $(seq "${RUNS:-5}"); do seconds "$folder/many"; done | sort -n | sed -n "$(((${RUNS:-5} + 1) / 2))p")
    awk -v what="$1" -v n="$count" -v bytes="$(stat -c %s "$folder/many")" -v time="$time" \
        'BEGIN { printf "| %s | %.0f | %.3g k/s | %.3g MB/s |\n", what, bytes / n - 1, n / time / 1e3, bytes / time / 1e6 }'
}

echo "$("$program" --version | head -n 1), $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(date -u +%F)"
echo
echo "| strings | characters | strings | text |"
echo "|---|--:|--:|--:|"
row "fpuzzles, clues" made fpuzzles sudoku
row "fpuzzles, notes" noted fpuzzles sudoku
row "fpuzzles, notes, link" noted link=fpuzzles sudoku
row "fpuzzles, jigsaw" made fpuzzles jigsaw
row "fpuzzles, killer" made fpuzzles killer
row "sudokupad \`scl\`" sample sudokupad ^scl
row "sudokupad \`ctc\`" sample sudokupad ^ctc
row "sudokupad \`scf\`" made sudokupad sudoku
row "sudokumaker" sample sudokumaker '^N4IgZg'
row "sudokucoach" made sudokucoach sudoku
row "Sudoku Exchange" exchange
row "hodoku" made hodoku sudoku
row "pencilmarks" noted pencilmarks sudoku
row "ps-killer" made ps-killer killer
row "sumocue" sample sumocue .
row "arrow-killer" sample arrow-killer .
row "sgt-solo" made sgt-solo sudoku
row "sgt-solo, killer" made sgt-solo killer
row "sgt-keen" made sgt-keen kenken --side 6
row "puzzlink" made puzzlink sudoku
row "penpa" sample penpa .
row "jigsaw-pair" sample jigsaw-pair .
for side in 16 25; do
    row "plain, side $side" made plain sudoku --side $side
    row "v2, side $side" made v2 sudoku --side $side
done
