#!/usr/bin/env bash
# Builds the page and serves it on this machine: serve.sh [PORT]. --build only builds it, to target/web.
set -euo pipefail
cd "$(dirname "$0")/.."
target=wasm32-unknown-unknown

[ -d "$(rustc --print target-libdir --target "$target")" ] || rustup target add "$target"
cargo build --quiet --profile wasm --package gridmill-web --target "$target"
python3 crates/web/page/build.py "target/$target/wasm/gridmill_web.wasm" target/web
[ "${1:-}" != --build ] || exit 0
port=${1:-8080}
echo "http://localhost:$port/ (end with Ctrl-C); target/web/index.html also works without a server"
exec python3 -m http.server --bind 127.0.0.1 --directory target/web "$port"
