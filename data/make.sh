#!/bin/sh
# Makes the generated samples of this folder again: data/make.sh target/release/gridmill
set -eu
gridmill=${1:-gridmill}
case $gridmill in /*) ;; */*) gridmill=$PWD/$gridmill ;; esac
cd "$(dirname "$0")"
sample() { # FORMAT KIND MIX COUNT
    "$gridmill" gen --quiet --format "$1" --kind "$2" --mix "$3" --count "$4" --seed 2026
}
sample plain sudoku clues 20 > plain.txt
sample v1 sudoku progress 20 > v1.txt
sample offset32 sudoku progress 20 > offset32.txt
"$gridmill" gen --quiet --format v0 --lossy --count 20 --seed 2026 > v0.txt
sample plain killer clues 5 > killer-plain.txt
sample v1 killer progress 5 > killer-v1.txt
sample plain str8ts clues 5 > str8ts-plain.txt
sample v1 str8ts progress 5 > str8ts-v1.txt
: > v2.txt
for kind in sudoku sudoku-x windoku colour-sudoku jigsaw killer killer-jigsaw kenken kendoku str8ts str8ts-x str8ts-b str8ts-bx
do
    sample v2 "$kind" progress 3 >> v2.txt
done
: > wolfram.txt
for kind in sudoku sudoku-x windoku colour-sudoku jigsaw; do
    sample wolfram "$kind" clues 2 >> wolfram.txt
done
{
    echo '# A mixture, as found in a database: plain, v1, v0 and v2, comments and blank lines.'
    echo '# The published example, first as 81 clues, then as a position in v1 and in v2:'
    echo 100000569492056108056109240009640801064010000218035604040500016905061402621000005
    echo 03c848csc4cs1121g10hg005481020024881c8112002c0g1040h485848g0210h4481140350200gs403c4k81448050281k0091120k00gc80h4811s4cck80320g1c810c820020hc805210503cos0cok8s811
    echo S9B015y2e685w68050609040i022e0e0f0a2e085y050f0a5u090b042e2u2e0i06042c0810012q0f0dd0015w9i102e020a089e03050f9e0d5y042e05d0609i010f095y0e5y0f0a045y0206020166cy669id205
    echo
    for i in 1 2 3 4 5; do
        for file in plain.txt v1.txt v0.txt v2.txt killer-v1.txt str8ts-v1.txt; do sed -n "${i}p" "$file"; done
    done
} > mixed.txt
{
    sed -n 1,2p v1.txt
    echo '03c848csc4cs1121g10hg005481020024881c8112002c0g1'
    sed -n 3p v1.txt | sed 's/^..../vvzz/'
    sed -n 4p v1.txt
} > some-bad.txt
