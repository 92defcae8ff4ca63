#!/usr/bin/env bash
# Builds the page and serves it on this machine: serve.sh [PORT]. --build only builds it, to target/web.
set -euo pipefail
case ${1:-} in
    "" | --build | [0-9]*) ;;
    *) sed -n '2s/^# //p' "$0"; [ "$1" = --help ]; exit ;;
esac
cd "$(dirname "$0")/.."
target=wasm32-unknown-unknown
library=$(rustc --print sysroot)/lib/rustlib/src/rust/library

[ -d "$(rustc --print target-libdir --target "$target")" ] || rustup target add "$target"
build=(cargo build --quiet --profile wasm --package gridmill-web --target "$target")
# Line ends are found with SIMD instructions; the page says which browsers support them.
flags="-C target-feature=+simd128"
small() {
    [ -d "$library" ] || { echo "rust-src is not installed: rustup component add rust-src"; return 1; }
    # The standard library is built for size, and a panic is a trap without a message, since nobody would see one.
    RUSTC_BOOTSTRAP=1 RUSTFLAGS="$flags -Z unstable-options -C panic=immediate-abort" \
        "${build[@]}" -Z build-std=std,panic_abort -Z build-std-features=optimize_for_size
}
usual() {
    RUSTFLAGS="$flags" "${build[@]}"
}
how=small
if ! small; then
    echo "gridmill.wasm becomes a fifth larger, as the standard library is not built with it"
    how=usual
    usual
fi
wasm=${CARGO_TARGET_DIR:-target}/$target/wasm/gridmill_web.wasm
pack() { # FILE: writes the built module to FILE, made as small as possible
    if command -v wasm-opt > /dev/null; then
        wasm-opt -Oz --enable-simd --enable-bulk-memory --enable-sign-ext --enable-mutable-globals --enable-nontrapping-float-to-int \
            --enable-multivalue --enable-reference-types "$wasm" -o "$1"
    else
        cp "$wasm" "$1"
    fi
}
mkdir -p target/web
pack target/web/gridmill.wasm
python3 crates/web/page/build.py target/web
[ "${1:-}" != --build ] || exit 0
port=${1:-8080}
echo "http://localhost:$port/ (end with Ctrl-C); target/web/index.html also works without a server"
exec python3 -m http.server --bind 127.0.0.1 --directory target/web "$port"
