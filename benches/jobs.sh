#!/usr/bin/env bash
# Measures one command that answers "is every puzzle unique, is every given solution right, and how many clues and nodes does each
# have". It runs on tables of the three public shapes and is compared with `validate --level unique` on the bare puzzles. Prints a table.
#
#   benches/jobs.sh [FOLDER]      FOLDER needs about 4 GB; GRIDMILL=PROGRAM measures another build
#
# Puzzles come from `gen`: BASE (default 50,000) of each sort, repeated with relabelled digits until the table is full. The commands
# run alternately, RUNS times (default 5); times are medians of wall time. The output is compared with the input, column by column, and
# 40 wrong solutions are planted in 200,000 rows.
set -euo pipefail
cd "$(dirname "$0")/.."
runs=${RUNS:-5} base=${BASE:-50000}
folder=${1:-$(mktemp -d)}
mkdir -p "$folder"
if [ -z "${GRIDMILL:-}" ]; then
    cargo build --release --quiet
    GRIDMILL=$PWD/target/release/gridmill
fi
G=$GRIDMILL
cd "$folder"

relabelled() { # BASE ROWS: repeats the lines of a file, each time with other digits
    local from=123456789 digits rows=0
    for digits in $(awk 'BEGIN {
            srand(1)
            for (round = 0; round < 500; round++) {
                for (i = 1; i <= 9; i++) label[i] = i
                for (i = 9; i > 1; i--) { j = 1 + int(rand() * i); k = label[i]; label[i] = label[j]; label[j] = k }
                for (i = 1; i <= 9; i++) printf "%d", label[i]
                print ""
            } }'); do
        tr "$from" "$digits" < "$1"
        rows=$((rows + base))
        if [ "$rows" -ge "$2" ]; then break; fi
    done | head -n "$2"
}
table() { # NAME ROWS GEN-FLAGS...: puzzles and solutions, separated by a tab
    local name=$1 rows=$2
    shift 2
    if [ -f "$name.csv" ]; then return; fi
    "$G" gen -q --unique --mix clues --format plain --count "$base" "$@" --no-sync -f -o base.txt
    "$G" validate -q --level unique --solutions base.txt --no-sync -f -o base.tsv
    relabelled base.tsv "$rows" > "$name.tsv"
    cut -f1 "$name.tsv" > "$name.txt"
}
table quizzes "${QUIZZES:-3000000}" --clues 33 --seed 11
table puzzles "${PUZZLES:-3000000}" --minimal --seed 12
table questions "${QUESTIONS:-4000000}" --minimal --seed 13
[ -f quizzes.csv ] || awk -F'\t' 'BEGIN { print "quizzes,solutions" } { print $1 "," $2 }' quizzes.tsv > quizzes.csv
[ -f puzzles.csv ] || awk -F'\t' 'BEGIN { print "id,puzzle,solution,clues,difficulty" }
    { printf "%d,%s,%s,%d,%.1f\n", NR, $1, $2, 20 + NR % 11, NR % 60 / 10 }' puzzles.tsv > puzzles.csv
[ -f questions.csv ] || awk -F'\t' 'BEGIN { print "source,question,answer,rating" }
    { gsub("0", ".", $1); printf "puzzles%d_list,%s,%s,%d\n", NR % 7, $1, $2, NR % 300 }' questions.tsv > questions.csv

seconds() { # COMMAND...: prints its wall time
    local begun=${EPOCHREALTIME/,/.}
    "$@" > /dev/null 2> errors || { cat errors >&2; exit 1; }
    awk -v a="$begun" -v b="${EPOCHREALTIME/,/.}" 'BEGIN { printf "%.3f\n", b - a }'
}
median() { sort -n "$1" | sed -n "$(((runs + 1) / 2))p"; }
job() { # NAME PUZZLE SOLUTION: prints the command
    echo "$G validate -q --level unique --framing csv --column $2 --solution-column $3 --add clues=n_clues,nodes=n_nodes $1.csv"
}

echo "$("$G" --version | head -n 1), $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) cores, $(date -u +%F)"
echo
echo "| table | rows | all of it | to a file | bare lines | speed | to a file | wc -l |"
echo "|---|--:|--:|--:|--:|--:|--:|--:|"
for shape in quizzes,quizzes,solutions puzzles,puzzle,solution questions,question,answer; do
    IFS=, read -r name puzzle solution <<< "$shape"
    command=$(job "$name" "$puzzle" "$solution")
    : > all; : > file; : > bare; : > wc
    for _ in $(seq "$runs"); do
        # shellcheck disable=SC2086 # several words
        seconds $command >> all
        # shellcheck disable=SC2086 # several words
        seconds $command --no-sync -f -o out.csv >> file
        seconds "$G" validate -q --level unique "$name.txt" >> bare
        seconds wc -l "$name.csv" >> wc
    done
    awk -v name="$name" -v rows="$(($(wc -l < "$name.csv") - 1))" -v all="$(median all)" -v file="$(median file)" \
        -v bare="$(median bare)" -v wc="$(median wc)" 'BEGIN {
            printf "| `%s.csv` | %d | %.3f s | %.3f s | %.3f s | %.2f | %.2f | %.3f s |\n",
                name, rows, all, file, bare, bare / all, bare / file, wc }'
    # The output has every input column unchanged, and two more.
    cmp <(sed 's/,[^,]*,[^,]*$//' out.csv) "$name.csv"
    awk -F, 'NR > 1 && ($(NF - 1) !~ /^[0-9]+$/ || $NF !~ /^[0-9]+$/) { print "row " NR " has no numbers"; exit 1 }' out.csv
done
rm -f out.csv

# In 40 of 200,000 solutions one digit is changed, each time in a different cell.
awk -F, -v OFS=, 'NR > 200001 { exit }
    NR > 1 && NR % 5000 == 7 { at = NR * 7 % 81 + 1; digit = substr($3, at, 1) % 9 + 1
        $3 = substr($3, 1, at - 1) digit substr($3, at + 1); print NR > "planted.txt" }
    { print }' puzzles.csv > planted.csv
# shellcheck disable=SC2046 # several words
$(job planted puzzle solution) -f -o sound.csv --rejects found.tsv --no-sync || [ $? = 1 ]
cut -f2,5 found.tsv | sed 1d > found.txt
cmp found.txt <(sed 's/$/\twrong-solution/' planted.txt)
echo
echo "planted: $(wc -l < planted.txt) wrong solutions of 200,000; found: $(wc -l < found.txt), the same rows, and no others"
