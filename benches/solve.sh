#!/usr/bin/env bash
# Compares the solver with others on one core, on puzzles in memory, counting up to two solutions. Prints two tables: gridmill compared
# with tdoku, and the rates of all programs.
#
#   [FSSS2=FOLDER] [JCZSOLVE=FOLDER] [CRATES=1] [BUILT=FOLDER] [RUNS=7] [LONGEST=3] benches/solve.sh TDOKU [LIST]...
#
# TDOKU, FSSS2: checkouts of t-dillon/tdoku and dobrichev/fsss2; JCZSOLVE: a folder with JCZSolve.c (shines77/gzSudoku has it in
# others/jczslover); CRATES: also measures the crates `sudoku` and `rustoku-lib`, built in a separate package. LIST: files of
# puzzles, in addition to the generated lists. All programs are built with -O3 for this processor in BUILT (default: a temporary
# folder), which also keeps the generated lists. All counts are compared, puzzle by puzzle.
#
# The figures are medians: of RUNS runs for the others, of criterion's samples for gridmill. Half of the others' runs come before
# gridmill's, half after. A run of another program ends after LONGEST seconds of processor time, and its rate is that of the puzzles
# counted until then.
set -euo pipefail
cd "$(dirname "$0")/.."
tdoku=$(realpath "$1") runs=${RUNS:-7} longest=${LONGEST:-3}
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
built=${BUILT:-$folder/built}
mkdir -p "$folder/lists" "$folder/counts" "$built/lists"
[ -e "$built/lists/none" ] || GRIDMILL_WRITE=$built/lists cargo bench --quiet -p gridmill-benches --bench solve -- none-of-them > /dev/null 2>&1
for list in "$built"/lists/* "$@"; do cp "$list" "$folder/lists/"; done

# RIVAL LIST RUNS LONGEST [COUNTS]: prints a line with the rate of each run, and writes the counts to COUNTS as characters.
cat > "$built/driver.hh" << 'END_DRIVER'
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>
#include <vector>
template <class Count> int measure(int argc, char **argv, Count count) {
  std::vector<std::string> puzzles;
  std::ifstream in(argv[1]);
  for (std::string line; std::getline(in, line);)
    if (line.size() >= 81 && line[0] != '#') {
      for (auto &c : line) if (c == '0') c = '.';
      puzzles.push_back(line.substr(0, 81));
    }
  std::string counts(puzzles.size(), ' ');
  for (int run = 0; run < atoi(argv[2]); run++) {
    size_t done = 0;
    double seconds = 0;
    std::clock_t begun = std::clock();
    while (done < puzzles.size() && seconds < atof(argv[3])) {
      for (size_t end = std::min(done + 64, puzzles.size()); done < end; done++)
        counts[done] = '0' + count(puzzles[done].c_str());
      seconds = double(std::clock() - begun) / CLOCKS_PER_SEC;
    }
    printf("%.0f\n", done / seconds);
  }
  if (argc > 4) std::ofstream(argv[4]) << counts.substr(0, counts.find(' '));
  return 0;
}
END_DRIVER
flags=(-O3 -march=native -std=c++17 -w -I"$built")
rivals=(tdoku)
cat > "$built/tdoku.cc" << 'END_DRIVER'
#include "driver.hh"
#include "tdoku.h"
int main(int argc, char **argv) {
  return measure(argc, argv, [](const char *puzzle) {
    char solution[128];
    size_t guesses;
    return TdokuSolverDpllTriadSimd(puzzle, 2, 0, solution, &guesses);
  });
}
END_DRIVER
c++ "${flags[@]}" -I"$tdoku/include" -I"$tdoku/src" "$built/tdoku.cc" "$tdoku/src/solver_dpll_triad_simd.cc" "$tdoku/src/util.cc" \
    -o "$built/tdoku"
if [ -n "${FSSS2:-}" ]; then
    rivals+=(fsss2)
    cat > "$built/fsss2.cc" << 'END_DRIVER'
#include "driver.hh"
#include "fsss2.h"
int main(int argc, char **argv) {
  return measure(argc, argv, [](const char *puzzle) {
    char digits[81];
    for (int i = 0; i < 81; i++) digits[i] = puzzle[i] == '.' ? 0 : puzzle[i] - '0';
    return hasSingleSolution().solve(digits);
  });
}
END_DRIVER
    c++ "${flags[@]}" -flto -I"$FSSS2" "$built/fsss2.cc" "$FSSS2/fsss2.cpp" "$FSSS2/t_128.cpp" -o "$built/fsss2"
fi
if [ -n "${JCZSOLVE:-}" ]; then
    rivals+=(jczsolve)
    cat > "$built/jczsolve.cc" << 'END_DRIVER'
#include "driver.hh"
#include "JCZSolve.h"
extern "C" { size_t JCZSolve_guesses; }
int main(int argc, char **argv) {
  return measure(argc, argv, [](const char *puzzle) { return JCZSolver(puzzle, nullptr, 2); });
}
END_DRIVER
    cc -O3 -march=native -w -c "$JCZSOLVE/JCZSolve.c" -o "$built/jczsolve.o"
    c++ "${flags[@]}" -I"$JCZSOLVE" "$built/jczsolve.cc" "$built/jczsolve.o" -o "$built/jczsolve"
fi
if [ -n "${CRATES:-}" ]; then
    rivals+=(sudoku rustoku)
    mkdir -p "$built/crates/src"
    cat > "$built/crates/Cargo.toml" << 'END_DRIVER'
[package]
name = "crates"
version = "0.0.0"
edition = "2024"
[lib]
crate-type = ["staticlib"]
[profile.release]
panic = "abort"
codegen-units = 1
[dependencies]
rustoku-lib = "0.16.0"
sudoku = "0.8.0"
END_DRIVER
    cat > "$built/crates/src/lib.rs" << 'END_DRIVER'
fn puzzle<'a>(puzzle: *const u8) -> &'a str {
    unsafe { std::str::from_utf8_unchecked(std::slice::from_raw_parts(puzzle, 81)) }
}
#[unsafe(no_mangle)]
extern "C" fn count_sudoku(text: *const u8) -> i32 {
    sudoku::Sudoku::from_str_line(puzzle(text)).map_or(0, |board| board.solutions_count_up_to(2) as i32)
}
#[unsafe(no_mangle)]
extern "C" fn count_rustoku(text: *const u8) -> i32 {
    rustoku_lib::Rustoku::new_from_str(puzzle(text)).map_or(0, |mut board| board.count_solutions_until(2) as i32)
}
END_DRIVER
    RUSTFLAGS="-C target-cpu=native" cargo build --quiet --release --manifest-path "$built/crates/Cargo.toml" --target-dir "$built/target"
    for crate in sudoku rustoku; do
        cat > "$built/$crate.cc" << END_DRIVER
#include "driver.hh"
extern "C" int count_$crate(const char *);
int main(int argc, char **argv) { return measure(argc, argv, count_$crate); }
END_DRIVER
        c++ "${flags[@]}" "$built/$crate.cc" "$built/target/release/libcrates.a" -lpthread -ldl -lm -o "$built/$crate"
    done
fi

# All programs must agree on the puzzles they finished.
compare() { # LIST
    local rival n
    for rival in "${rivals[@]}"; do
        n=$(wc -c < "$folder/counts.$rival")
        cmp <(head -c "$n" "$folder/counts/$1") "$folder/counts.$rival" || { echo "$1: $rival counts otherwise"; exit 1; }
    done
}
median() { sort -n | sed -n "$(((runs + 1) / 2))p"; }

echo "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(date -u +%F), $(c++ --version | head -n 1)"
echo
echo "| list | puzzles | none, one, several | tdoku | kernel | gridmill | ratio |"
echo "|---|--:|---|--:|---|--:|--:|"
for list in easy minimal several none "${@##*/}"; do
    file=$folder/lists/$list
    for rival in "${rivals[@]}"; do
        "$built/$rival" "$file" "$(((runs + 1) / 2))" "$longest" "$folder/counts.$rival" > "$folder/rates.$rival"
    done
    GRIDMILL_COUNTS=$folder/counts GRIDMILL_LISTS=$file cargo bench -p gridmill-benches --bench solve -- "solve/" --warm-up-time 0.5 2> /dev/null > "$folder/ours"
    for rival in "${rivals[@]}"; do "$built/$rival" "$file" "$((runs / 2))" "$longest" >> "$folder/rates.$rival"; done
    compare "$list"
    counts=$(fold -w 1 "$folder/counts/$list" | awk '{ n[$1]++ } END { print n[0] + 0 "," n[1] + 0 "," n[2] + 0 }')
    awk -v list="$list" -v n="$(wc -c < "$folder/counts/$list")" -v counts="$counts" -v rate="$(median < "$folder/rates.tdoku")" '
        /^solve\// { split($1, name, "/"); kernel = name[length(name)] }
        /thrpt:.*elem/ && kernel {
            ours = $4 * ($5 ~ /^M/ ? 1e6 : $5 ~ /^K/ ? 1e3 : 1)
            printf "| %s | %d | %s | %.0f k/s | %s | %.0f k/s | %.1f |\n", list, n, counts, rate / 1e3, kernel, ours / 1e3, ours / rate
            kernel = ""
        }' "$folder/ours"
    best=$(awk '/thrpt:.*elem/ { rate = $4 * ($5 ~ /^M/ ? 1e6 : $5 ~ /^K/ ? 1e3 : 1); if (rate > best) best = rate } END { printf "%.0f", best }' "$folder/ours")
    {
        printf '| %s | %.0f k/s |' "$list" "$((best / 1000))"
        for rival in "${rivals[@]}"; do
            awk -v rate="$(median < "$folder/rates.$rival")" -v best="$best" 'BEGIN { printf " %.1f k/s, %.1f x |", rate / 1e3, best / rate }'
        done
        echo
    } >> "$folder/all"
done

echo
printf '| list | gridmill |'; printf ' %s |' "${rivals[@]}"; echo
printf '|---|--:|'; printf -- '--:|%.0s' "${rivals[@]}"; echo
cat "$folder/all"
