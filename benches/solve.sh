#!/usr/bin/env bash
# The solver against tdoku (https://github.com/t-dillon/tdoku), one core, puzzles in memory, counting to two. Prints a table.
#
#   benches/solve.sh TDOKU [LIST]...      TDOKU: a checkout; LIST: files of puzzles, besides those that are made
#
# The figures are medians: of 7 runs for tdoku, of criterion's samples for gridmill; the first half of tdoku's runs is before,
# the second after gridmill's.
set -euo pipefail
cd "$(dirname "$0")/.."
tdoku=$(realpath "$1")
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat > "$folder/driver.cc" << 'END'
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>
#include "tdoku.h"
int main(int argc, char **argv) {
  std::vector<std::string> puzzles;
  std::ifstream in(argv[1]);
  for (std::string line; std::getline(in, line);)
    if (line.size() >= 81 && line[0] != '#') {
      for (auto &c : line) if (c == '0') c = '.';
      puzzles.push_back(line.substr(0, 81));
    }
  for (int run = 0; run < atoi(argv[2]); run++) {
    char solution[128];
    size_t guesses, counts[3] = {0, 0, 0};
    auto begun = std::chrono::steady_clock::now();
    for (auto &puzzle : puzzles) counts[TdokuSolverDpllTriadSimd(puzzle.c_str(), 2, 0, solution, &guesses)]++;
    double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    printf("%.0f %zu %zu %zu\n", puzzles.size() / seconds, counts[0], counts[1], counts[2]);
  }
}
END
c++ -O3 -march=native -std=c++14 -I"$tdoku/include" -I"$tdoku/src" "$folder/driver.cc" "$tdoku/src/solver_dpll_triad_simd.cc" \
    "$tdoku/src/util.cc" -o "$folder/tdoku"
mkdir "$folder/lists"
GRIDMILL_WRITE=$folder/lists cargo bench --quiet --bench solve -- none-of-them > /dev/null 2>&1
for list in "$@"; do cp "$list" "$folder/lists/"; done

echo "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(date -u +%F), $(c++ --version | head -n 1)"
echo
echo "| list | puzzles | none, one, several | tdoku | kernel | gridmill | ratio |"
echo "|---|--:|---|--:|---|--:|--:|"
for list in easy minimal several none "${@##*/}"; do
    file=$folder/lists/$list
    "$folder/tdoku" "$file" 4 > "$folder/rates"
    GRIDMILL_LISTS=$file cargo bench --bench solve -- "solve/" 2> /dev/null > "$folder/ours"
    "$folder/tdoku" "$file" 3 >> "$folder/rates"
    rate=$(sort -n "$folder/rates" | sed -n 4p | cut -d' ' -f1)
    counts=$(head -n 1 "$folder/rates" | cut -d' ' -f2- | tr ' ' ',')
    n=$(echo "$counts" | tr ',' '+' | xargs -I{} sh -c 'echo $(({}))')
    awk -v list="$list" -v n="$n" -v counts="$counts" -v rate="$rate" '
        /^solve\// { split($1, name, "/"); kernel = name[length(name)] }
        /thrpt:.*elem/ && kernel {
            ours = $4 * ($5 ~ /^M/ ? 1e6 : $5 ~ /^K/ ? 1e3 : 1)
            printf "| %s | %d | %s | %.0f k/s | %s | %.0f k/s | %.1f |\n", list, n, counts, rate / 1e3, kernel, ours / 1e3, ours / rate
            kernel = ""
        }' "$folder/ours"
done
