#!/usr/bin/env bash
# Compares conversion of tables and JSON lines with `wc -l`, and migrations with a similar UPDATE in the database. Prints a table.
#
#   benches/rows.sh [FOLDER]      needs sqlite3; with GRIDMILL_POSTGRES=postgres://USER@HOST:PORT also psql
#
# The commands of each pair run alternately, RUNS times (default 5). Times are medians of wall time.
set -euo pipefail
cd "$(dirname "$0")/.."
runs=${RUNS:-5}
folder=${1:-$(mktemp -d)}
mkdir -p "$folder"
cargo build --release --quiet
G=$PWD/target/release/gridmill
cd "$folder"

[ -f v1.txt ] || "$G" gen -q --format v1 --count 3000000 --seed 3 --mix progress --lossy --no-sync -o v1.txt
[ -f b.csv ] || awk 'BEGIN { print "id,bd,name" } { printf "%d,%s,user %d\n", NR, $0, NR % 1000 }' v1.txt > b.csv
[ -f q.csv ] || awk 'BEGIN { print "id,bd,name" } NR % 50 { printf "%d,%s,user %d\n", NR, $0, NR % 1000; next }
    { printf "%d,%s,\"user, %d\"\n", NR, $0, NR % 1000 }' v1.txt > q.csv
[ -f b.tsv ] || tr , '\t' < b.csv > b.tsv
[ -f b.jsonl ] || awk '{ printf "{\"id\":%d,\"bd\":\"%s\",\"name\":\"user %d\"}\n", NR, $0, NR % 1000 }' v1.txt > b.jsonl
[ -f m.csv ] || head -n 1000001 b.csv | cut -d, -f1-2 > m.csv

seconds() { # COMMAND...: prints its wall time
    local begun=${EPOCHREALTIME/,/.}
    "$@" > /dev/null 2> errors || { cat errors >&2; exit 1; }
    awk -v a="$begun" -v b="${EPOCHREALTIME/,/.}" 'BEGIN { printf "%.3f\n", b - a }'
}
median() { sort -n "$1" | sed -n "$(((runs + 1) / 2))p"; }
row() { # WHAT TARGET: prints the row for the times in the files a and b
    local a b
    a=$(median a) b=$(median b)
    awk -v what="$1" -v target="$2" -v a="$a" -v b="$b" \
        'BEGIN { printf "| %s | %.2f s | %.2f s | %.2f | %s |\n", what, a, b, a / b, target }'
}

echo "$("$G" --version | head -n 1), $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) cores, $(date -u +%F)"
echo
echo "| what | gridmill | the other | ratio | target |"
echo "|---|--:|--:|--:|---|"
for file in b.csv q.csv b.tsv b.jsonl; do
    case $file in
        *.csv) flags="--framing csv --column bd" ;;
        *.tsv) flags="--framing tsv --column bd" ;;
        *) flags="--framing jsonl --field /bd" ;;
    esac
    : > a; : > b; : > one
    for _ in $(seq "$runs"); do
        # shellcheck disable=SC2086 # several words
        { seconds "$G" convert -q $flags "$file" >> a; seconds "$G" convert -q $flags -j1 "$file" >> one; }
        seconds wc -l "$file" >> b
    done
    row "\`convert $flags $file\` : \`wc -l\`" "<= 2"
    awk -v s="$(median one)" -v bytes="$(stat -c %s "$file")" -v file="$file" \
        'BEGIN { printf "| the same, one thread | %.2f s | | %.2f GB/s | >= 1 GB/s |\n", s, bytes / s / 1e9 }'
done

steps() { # prints the seconds of reading, writing and verification
    sed -n 's/.*read \([0-9.]*\) s, write \([0-9.]*\) s, verify \([0-9.]*\) s.*/\1 \2 \3/p' errors
}
shares() {
    awk '{ read += $1; write += $2; verify += $3 } END { printf "| reading and verification, as shares of the write | %.2f | %.2f | | <= 0.5 |\n", read / write, verify / write }' steps
}
if command -v sqlite3 > /dev/null; then
    rm -f m.db; sqlite3 m.db "CREATE TABLE boards (id INTEGER PRIMARY KEY, bd TEXT)" ".mode csv" ".import --skip 1 m.csv boards"
    : > a; : > b; : > steps
    for _ in $(seq "$runs"); do
        cp m.db x.db; sync
        seconds sqlite3 x.db "UPDATE boards SET bd = 'S9B' || bd" >> b
        cp m.db x.db; sync
        seconds "$G" migrate sqlite x.db --table boards --column bd --yes > /dev/null
        steps >> steps; tail -n 1 steps | cut -d' ' -f2 >> a
    done
    row "\`migrate sqlite\`, 1,000,000 rows, the write : the same \`UPDATE\` with \`'S9B'\` before each string" "<= 1.3"
    shares
fi
if [ -n "${GRIDMILL_POSTGRES:-}" ]; then
    sql() { psql -q -X "$GRIDMILL_POSTGRES/gridmill_rows" "$@"; }
    psql -q -X "$GRIDMILL_POSTGRES/postgres" -c "DROP DATABASE IF EXISTS gridmill_rows" -c "CREATE DATABASE gridmill_rows"
    sql -c "CREATE TABLE kept (id bigint, bd text)" -c "\\copy kept FROM m.csv CSV HEADER"
    fresh() {
        sql -c "SET client_min_messages = error" -c "DROP TABLE IF EXISTS boards, gridmill_migration" \
            -c "CREATE TABLE boards (id bigint PRIMARY KEY, bd text)" -c "INSERT INTO boards SELECT * FROM kept" -c "VACUUM ANALYZE boards" -c CHECKPOINT
    }
    : > a; : > b; : > steps
    for _ in $(seq "$runs"); do
        fresh; seconds sql -c "UPDATE boards SET bd = 'S9B' || bd" >> b
        fresh; seconds "$G" migrate postgres "$GRIDMILL_POSTGRES/gridmill_rows" --table boards --column bd --yes > /dev/null
        steps >> steps; tail -n 1 steps | cut -d' ' -f2 >> a
    done
    row "\`migrate postgres\`, 1,000,000 rows, the write : the same \`UPDATE\` with \`'S9B'\` before each string" "<= 2"
    shares
fi
