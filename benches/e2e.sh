#!/usr/bin/env bash
# Compares the whole program with public tools that do less, end to end: time, memory, start-up and scaling. Prints a table.
#
#   cargo build --release && benches/e2e.sh [FOLDER]      FOLDER (default: a temporary one) needs 25 GB
#
# Each ratio compares medians of RUNS (default 7) alternating runs in one invocation (ours, theirs, ours, ...), on the same data, with
# a hot page cache, and with a new file for every output. LINES (default 5,000,000) is the number of input lines, of 163 bytes each.
set -euo pipefail
cd "$(dirname "$0")/.."
runs=${RUNS:-7} lines=${LINES:-5000000}
gridmill=$PWD/target/release/gridmill
folder=${1:-$(mktemp -d)}
mkdir -p "$folder"
[ $# -gt 0 ] || trap 'rm -rf "$folder"' EXIT
cd "$folder"

now() { echo "${EPOCHREALTIME/./}"; }
# The microseconds that a command takes. The command must redirect its own output.
timed() {
    local begun
    rm -f out out.zst
    begun=$(now)
    bash -c "$1"
    echo $(($(now) - begun))
}
median() { sort -n | awk '{ all[NR] = $1 } END { print NR % 2 ? all[(NR + 1) / 2] : (all[NR / 2] + all[NR / 2 + 1]) / 2 }'; }
seconds() { awk -v us="$1" 'BEGIN { printf "%.3f s", us / 1e6 }'; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", a / b }'; }
row() { printf '| %s | %s | %s | %s | %s | %s |\n' "$@"; }

# row: NUMBER, WHAT, OUR COMMAND, THEIR COMMAND, TARGET. The ratio is our time divided by theirs.
against() {
    local ours="" theirs="" i
    timed "$3" > /dev/null; timed "$4" > /dev/null
    for ((i = 0; i < runs; i++)); do
        ours+="$(timed "$3")"$'\n'
        theirs+="$(timed "$4")"$'\n'
    done
    ours=$(printf %s "$ours" | median) theirs=$(printf %s "$theirs" | median)
    row "$1" "$2" "$(seconds "$ours")" "$(seconds "$theirs")" "$(ratio "$ours" "$theirs")" "$5"
}

"$gridmill" gen --format v1 --mix progress --count "$lines" -q -f -o v1.txt
"$gridmill" convert v1.txt -q -f -o v2.txt
"$gridmill" convert v1.txt -q -f -o v2.zst
cat v1.txt v2.txt > /dev/null

echo "$("$gridmill" --version | head -n 1), $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) cores, $(date -u +%F)"
echo "$("$gridmill" --version | grep -i kernel || true)"
echo
echo "$lines lines of v1, $(stat -c %s v1.txt) bytes; medians of $runs alternating runs"
echo
echo "| # | what | gridmill | the other | ratio | target |"
echo "|---|---|--:|--:|--:|---|"
g="$gridmill convert -q"
against 6 '`convert in -o out --no-sync` : `cat in > out`' "$g v1.txt -o out --no-sync" "cat v1.txt > out" "<= 0.8"
against 6 '`convert in -o out` : `cat in > out; sync out`' "$g v1.txt -o out" "cat v1.txt > out; sync out" "<= 1.0"
against 6 'the same with `--no-mmap --no-sync` : mapped' "$g v1.txt -o out --no-sync --no-mmap" "$g v1.txt -o out --no-sync" ""
against 7 '`convert in > /dev/null` : `wc -l in`' "$g v1.txt > /dev/null" "wc -l v1.txt > /dev/null" "<= 0.8"
against 7 'the same with `--no-mmap` : mapped' "$g v1.txt --no-mmap > /dev/null" "$g v1.txt > /dev/null" ""
against 8 '`cat in \| convert \| cat` : `cat in \| cat \| cat`' "cat v1.txt | $g | cat > /dev/null" "cat v1.txt | cat | cat > /dev/null" "<= 1.2"
against 9 '`convert in -o out.zst --no-sync` : `zstd -3 -T2` of the converted file' "$g v1.txt -o out.zst --no-sync" \
    "zstd -q -3 -T2 v2.txt -o out.zst" "<= 1.05"
$g v1.txt -o ours.zst -f --no-sync; zstd -q -3 -T2 -f v2.txt -o theirs.zst
row 9 "the same, size" "$(stat -c %s ours.zst)" "$(stat -c %s theirs.zst)" "$(ratio "$(stat -c %s ours.zst)" "$(stat -c %s theirs.zst)")" "<= 1.02"
against 10 '`convert x.zst > /dev/null`, our archive : `zstd -dc x.zst`' "$g v2.zst > /dev/null" "zstd -dcq v2.zst > /dev/null" "<= 0.59 (1.7 x its speed)"

# Peak of anonymous memory (mapped files belong to the page cache), sampled; and the kernel's pipe limits.
anonymous() {
    local most=0 kib pid
    bash -c "exec $1" & pid=$!
    while kib=$(awk '/^RssAnon/ { print $2 }' "/proc/$pid/status" 2> /dev/null) && [ -n "$kib" ]; do
        ((kib > most)) && most=$kib
        sleep 0.002
    done
    wait "$pid"
    echo "$most"
}
mib() { awk -v kib="$1" 'BEGIN { printf "%.0f MiB", kib / 1024 }'; }
for ((i = 0; i < 5; i++)); do cat v1.txt; done > large.txt
zstd -q -T2 --long=23 -f v1.txt -o foreign.zst
row 11 "peak memory, mapped file of $(stat -c %s large.txt) bytes" "$(mib "$(anonymous "$g large.txt > /dev/null")")" "" "" "<= 64 MiB"
row 11 "the same, --no-mmap" "$(mib "$(anonymous "$g large.txt --no-mmap > /dev/null")")" "" "" "<= 64 MiB"
row 11 "the same, from a pipe" "$(mib "$(cat large.txt | anonymous "$g > /dev/null")")" "" "" "<= 64 MiB"
row 11 "to zstd" "$(mib "$(anonymous "$g v1.txt -o out.zst -f")")" "" "" "<= 64 MiB"
row 11 "our archive" "$(mib "$(anonymous "$g v2.zst > /dev/null")")" "" "" "<= 64 MiB"
row 11 "a foreign archive, window 8 MiB" "$(mib "$(anonymous "$g foreign.zst > /dev/null")")" "" "" "<= 64 MiB"

head -n 1 v1.txt > one.txt
begun=$(now)
for ((i = 0; i < 200; i++)); do "$gridmill" convert -q < one.txt > /dev/null; done
row 12 "one line, start to exit, mean of 200" "$(awk -v us=$(($(now) - begun)) 'BEGIN { printf "%.1f ms", us / 200000 }')" "" "" "<= 5 ms"

# The time per byte for other sizes, compared with that for the whole text.
head -c $((lines * 163 / 8 / 163 * 163)) v1.txt > small.txt
each() { local all="" i; timed "$1" > /dev/null; for ((i = 0; i < runs; i++)); do all+="$(timed "$1")"$'\n'; done; printf %s "$all" | median; }
size() { stat -c %s "$1"; }
# The time of a run on an empty file is subtracted from each time, since starting a shell and a process does not depend on the size.
: > nothing.txt
nothing=$(each "$g nothing.txt > /dev/null")
less() { awk -v a="$(each "$1")" -v b="$nothing" 'BEGIN { print a - b }'; }
small=$(less "$g small.txt > /dev/null") whole=$(less "$g v1.txt > /dev/null") large=$(less "$g large.txt > /dev/null")
row 13 "a run without a line, taken away from the next two" "$(seconds "$nothing")" "" "" ""
per() { awk -v a="$1" -v m="$2" -v b="$3" -v n="$4" 'BEGIN { printf "%.2f", (a / m) / (b / n) }'; }
row 13 "time a byte, $(size small.txt) bytes : $(size v1.txt)" "$(seconds "$small")" "$(seconds "$whole")" "$(per "$small" "$(size small.txt)" "$whole" "$(size v1.txt)")" "0.9 to 1.1"
row 13 "time a byte, $(size large.txt) bytes : $(size v1.txt)" "$(seconds "$large")" "$(seconds "$whole")" "$(per "$large" "$(size large.txt)" "$whole" "$(size v1.txt)")" "0.9 to 1.1"
"$gridmill" gen --format wolfram --mix clues --count 4000000 -q -f -o wolfram.txt
against 13 "two threads : one, where the CPU is the limit (wolfram)" "$g --from wolfram -j2 wolfram.txt > /dev/null" "$g --from wolfram -j1 wolfram.txt > /dev/null" "<= 0.53 (1.9 x)"
against 13 "two threads : one, v1" "$g -j2 v1.txt > /dev/null" "$g -j1 v1.txt > /dev/null" ""

if command -v node > /dev/null; then
    head -n 200000 v1.txt > some.txt
    "$gridmill" convert -q some.txt > ours.txt
    node "$OLDPWD/benches/page.js" some.txt > theirs.txt
    cmp ours.txt theirs.txt
    page=$(each "node $OLDPWD/benches/page.js some.txt > /dev/null")
    rate() { awk -v us="$1" -v lines="$2" 'BEGIN { printf "%.0f lines/s", lines / us * 1e6 }'; }
    row "" 'JavaScript of the published description, node' "$(rate "$whole" "$lines")" "$(rate "$page" 200000)" "$(per "$page" 200000 "$whole" "$lines") x faster" ""
else
    row "" "JavaScript of the published description" "" "no node on this machine" "" ""
fi
