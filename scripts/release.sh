#!/usr/bin/env bash
# Makes the tarball of a release, with the program, its manual pages and completions, the documents and the licences.
#
#   scripts/release.sh [TARGET]            target/dist/gridmill-VERSION-TARGET.tar.gz, and its .sha256
#   scripts/release.sh --check [TARGET]    makes it twice, in two folders, and compares the bytes
#
# The default TARGET is x86_64-unknown-linux-musl (static, runs on every Linux) if it can be built here, otherwise this machine's own.
# The last commit is built. The tarball depends only on that commit and on the compilers, not on the time, the folder, the user or the
# order of files.
set -euo pipefail
cd "$(dirname "$0")/.."

check=
if [ "${1:-}" = --check ]; then check=yes; shift; fi

host=$(rustc -vV | sed -n 's/^host: //p')
static=${host%%-*}-unknown-linux-musl
if [ -n "${1:-}" ]; then
    target=$1
elif command -v musl-gcc > /dev/null && [ -d "$(rustc --print target-libdir --target "$static" 2> /dev/null)" ]; then
    target=$static
else
    target=$host
    echo "no $static here (rustup target add $static, and musl-gcc): making $target" >&2
fi

version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)
name=gridmill-$version-$target
commit=$(git rev-parse HEAD)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct "$commit")
export SOURCE_DATE_EPOCH LC_ALL=C TZ=UTC

# The licence texts of everything that is linked into the program.
licences() {
    cargo metadata --locked --all-features --format-version 1 --filter-platform "$target" | python3 -c '
import json, os, re, sys
data = json.load(sys.stdin)
packages = {p["id"]: p for p in data["packages"]}
nodes = {n["id"]: n for n in data["resolve"]["nodes"]}
linked, todo = set(), [data["resolve"]["root"]]
while todo:
    one = todo.pop()
    if one in linked: continue
    linked.add(one)
    todo += [d["pkg"] for d in nodes[one]["deps"] if any(k["kind"] is None for k in d["dep_kinds"])]
for p in sorted((packages[i] for i in linked if packages[i]["source"]), key=lambda p: (p["name"], p["version"])):
    print("=" * 100, p["name"] + " " + p["version"] + ", " + str(p["license"]), p["repository"] or "", "", sep="\n")
    folder = os.path.dirname(p["manifest_path"])
    for file in sorted(os.listdir(folder)):
        if re.match(r"(?i)(licen[cs]e|copying|notice|unlicense)", file) and os.path.isfile(os.path.join(folder, file)):
            print(open(os.path.join(folder, file), encoding="utf-8", errors="replace").read().strip(), "", sep="\n")
'
}

# Lists the program's commands, or the subcommands of one of them.
commands() {
    "$program" "$@" --help | sed -n "/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p" | grep -vx help
}

make_tarball() { # FOLDER: its name is not in the result
    local folder=$1 source=$1/source stage=$1/$name
    rm -rf "$folder"
    mkdir -p "$source" "$stage/completions" "$stage/man"
    git archive "$commit" | tar -x -C "$source"
    local home=${CARGO_HOME:-$HOME/.cargo}
    local maps="--remap-path-prefix=$PWD/$source=gridmill --remap-path-prefix=$home=cargo"
    (
        cd "$source"
        export CARGO_TARGET_DIR=$PWD/../target
        export CARGO_ENCODED_RUSTFLAGS=${maps// /$'\x1f'}
        export CFLAGS="-ffile-prefix-map=$home=cargo -ffile-prefix-map=$PWD/..=gridmill"
        # More than `cargo install` builds, since users of a tarball cannot add features.
        cargo build --locked --all-features --profile dist --quiet --bin gridmill --target "$target"
    )
    local program=$folder/target/$target/dist/gridmill
    cp "$program" "$stage/gridmill"
    cp -R "$source"/{README.md,CHANGELOG.md,LICENSE-APACHE,LICENSE-MIT,docs} "$stage"
    (cd "$source" && licences) > "$stage/LICENSES-OF-DEPENDENCIES"
    "$program" man > "$stage/man/gridmill.1"
    for command in $(commands | grep -vxE "completions|man") $(commands migrate | sed s/^/migrate-/); do
        "$program" man "$command" > "$stage/man/gridmill-$command.1"
    done
    "$program" completions bash > "$stage/completions/gridmill.bash"
    "$program" completions zsh > "$stage/completions/_gridmill"
    "$program" completions fish > "$stage/completions/gridmill.fish"
    tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --mode=u+rw,go=rX,a-s --format=ustar \
        -cf - -C "$folder" "$name" | gzip -n -9 > "$folder/$name.tar.gz"
}

make_tarball target/dist/one
if [ -n "$check" ]; then
    make_tarball target/dist/another-folder
    cmp target/dist/{one,another-folder}/"$name.tar.gz"
    rm -rf target/dist/another-folder
    echo "two builds are the same"
fi
mv "target/dist/one/$name.tar.gz" target/dist/
rm -rf target/dist/one
(cd target/dist && sha256sum "$name.tar.gz" | tee "$name.tar.gz.sha256")
