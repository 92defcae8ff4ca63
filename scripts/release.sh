#!/usr/bin/env bash
# Makes what a release consists of, in target/dist, and SHA256SUMS of all that is there.
#
#   scripts/release.sh [--check] WHAT...    with --check, twice, in two folders, and compares the bytes
#
# WHAT is any of
#
#   x86_64-unknown-linux-musl aarch64-unknown-linux-musl    a tarball and a package for Debian: static, for every Linux
#   x86_64-pc-windows-gnu                                   a zip
#   aarch64-apple-darwin x86_64-apple-darwin                a tarball
#   wheel-TARGET                                            a wheel of Python for one of WHEELS below
#   sdist                                                   the source distribution of Python
#   npm crates sbom                                         the package for npm, those for crates.io, a bill of materials
#   all                                                     all of these
#
# The last commit is built, and what is made depends only on that commit and on the compilers, not on the time, the folder, the user or
# the order of files. C for other systems is compiled by zig, wheels are made by maturin, and both come from PyPI unless they are in PATH;
# for Windows, it needs gcc-mingw-w64-x86-64, and for npm, node.
set -euo pipefail
cd "$(dirname "$0")/.."

PROGRAMS=(x86_64-unknown-linux-musl aarch64-unknown-linux-musl x86_64-pc-windows-gnu aarch64-apple-darwin x86_64-apple-darwin)
WHEELS=(x86_64-unknown-linux-gnu aarch64-unknown-linux-gnu x86_64-unknown-linux-musl aarch64-unknown-linux-musl
    x86_64-pc-windows-gnu aarch64-apple-darwin x86_64-apple-darwin)
ALL=("${PROGRAMS[@]}" "${WHEELS[@]/#/wheel-}" sdist npm crates sbom)

usage() { sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "$0"; }
check=
if [ "${1:-}" = --check ]; then check=yes; shift; fi
[ $# -gt 0 ] || { usage; exit 2; }
wanted=()
for what in "$@"; do
    if [ "$what" = all ]; then wanted+=("${ALL[@]}")
    elif [[ " ${ALL[*]} " = *" $what "* ]]; then wanted+=("$what")
    else usage; exit 2; fi
done

version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)
commit=$(git rev-parse HEAD)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct "$commit")
export SOURCE_DATE_EPOCH LC_ALL=C TZ=UTC
host=$(rustc -vV | sed -n 's/^host: //p')
home=${CARGO_HOME:-$HOME/.cargo}

tools() {
    if command -v cargo-zigbuild > /dev/null && command -v maturin > /dev/null; then return; fi
    if [ ! -x target/dist/tools/bin/maturin ]; then
        python3 -m venv target/dist/tools
        target/dist/tools/bin/pip install --quiet --disable-pip-version-check -r scripts/release/requirements.txt
    fi
    PATH=$PWD/target/dist/tools/bin:$PATH
}
standard_library() { [ -d "$(rustc --print target-libdir --target "$1")" ] || rustup target add "$1"; }

# Sets what compilers are told: no name of a folder of this machine gets into what they make.
flags() { # FOLDER TARGET
    local flags="--remap-path-prefix=$PWD/$1/source=gridmill --remap-path-prefix=$home=cargo"
    # As the standard library has it where the component rust-src is not installed.
    flags+=" --remap-path-prefix=$(rustc --print sysroot)/lib/rustlib/src/rust=/rustc/$(rustc -vV | sed -n 's/^commit-hash: //p')"
    export CFLAGS="-ffile-prefix-map=$home=cargo -ffile-prefix-map=$PWD/$1=gridmill"
    case $2 in
        # Of Apple's frameworks, whose SDK may not be passed on, it has the names of the functions that are called.
        *-apple-darwin) export MACOSX_DEPLOYMENT_TARGET=11.0; flags+=" -Clink-arg=-F$PWD/$1/source/scripts/release/macos" ;;
        *-windows-gnu) flags+=" -Clink-arg=-Wl,--no-insert-timestamp" ;;
    esac
    export CARGO_ENCODED_RUSTFLAGS=${flags// /$'\x1f'}
}

build() { # FOLDER TARGET
    local how=zigbuild
    case $2 in *-windows-gnu) how=build ;; esac
    standard_library "$2"
    # More than `cargo install` builds, since users of an archive cannot add features.
    (flags "$1" "$2"; cd "$1/source"
        cargo $how --locked --all-features --profile dist --quiet --bin gridmill --target "$2")
}

# A program that runs here prints the manual and the completions, which are the same on all systems.
pages() { # FOLDER: writes them to FOLDER/pages
    local folder=$1 program=$1/target/${host%%-*}-unknown-linux-musl/dist/gridmill
    [ ! -d "$folder/pages" ] || return 0
    if [ ! -x "$program" ]; then
        (cd "$folder/source"; cargo build --locked --all-features --quiet --bin gridmill)
        program=$folder/target/debug/gridmill
    fi
    # The program's commands, or the subcommands of one of them.
    commands() { "$program" "$@" --help | sed -n "/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p" | grep -vx help; }
    mkdir -p "$folder/unfinished/man" "$folder/unfinished/completions"
    local command
    "$program" man > "$folder/unfinished/man/gridmill.1"
    for command in $(commands | grep -vxE "completions|man") $(commands migrate | sed s/^/migrate-/); do
        "$program" man "$command" > "$folder/unfinished/man/gridmill-$command.1"
    done
    "$program" completions bash > "$folder/unfinished/completions/gridmill.bash"
    "$program" completions zsh > "$folder/unfinished/completions/_gridmill"
    "$program" completions fish > "$folder/unfinished/completions/gridmill.fish"
    "$program" completions powershell > "$folder/unfinished/completions/_gridmill.ps1"
    mv "$folder/unfinished" "$folder/pages"
}

tarball() { # FOLDER OF FILE
    tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --mode=u+rw,go=rX,a-s --format=ustar \
        -cf - -C "$1" "$2" | gzip -n -9 > "$3"
}

program() { # FOLDER TARGET
    local folder=$1 target=$2 name=gridmill-$version-$2
    local source=$folder/source stage=$folder/$name built=$folder/target/$target/dist
    build "$folder" "$target"
    pages "$folder"
    mkdir "$stage"
    cp -R "$source"/{README.md,CHANGELOG.md,LICENSE-APACHE,LICENSE-MIT,data,docs} "$folder/pages/completions" "$stage"
    (cd "$source"; cargo metadata --locked --all-features --format-version 1 --filter-platform "$target" |
        python3 scripts/release/dependencies.py licences) > "$stage/LICENSES-OF-DEPENDENCIES"
    case $target in
        *-windows-*) cp "$built/gridmill.exe" "$stage"; python3 "$source/scripts/release/zip.py" "$stage" "$folder/out/$name.zip" ;;
        *) cp "$built/gridmill" "$stage"; cp -R "$folder/pages/man" "$stage"; tarball "$folder" "$name" "$folder/out/$name.tar.gz" ;;
    esac
    case $target in
        x86_64-*-linux-*) debian "$folder" "$stage" amd64 ;;
        aarch64-*-linux-*) debian "$folder" "$stage" arm64 ;;
    esac
    rm -r "$stage" "$folder/target/$target"
}

debian() { # FOLDER STAGE ARCHITECTURE: a package of the same files
    local tree=$1/debian stage=$2 page
    local documents=$tree/usr/share/doc/gridmill
    install -D -m 755 "$stage/gridmill" "$tree/usr/bin/gridmill"
    for page in "$stage"/man/*; do
        mkdir -p "$tree/usr/share/man/man1"
        gzip -n -9 < "$page" > "$tree/usr/share/man/man1/$(basename "$page").gz"
    done
    install -D -m 644 "$stage/completions/gridmill.bash" "$tree/usr/share/bash-completion/completions/gridmill"
    install -D -m 644 "$stage/completions/_gridmill" "$tree/usr/share/zsh/vendor-completions/_gridmill"
    install -D -m 644 "$stage/completions/gridmill.fish" "$tree/usr/share/fish/vendor_completions.d/gridmill.fish"
    mkdir -p "$documents" "$tree/DEBIAN"
    cp -R "$stage"/{README.md,data,docs} "$documents"
    gzip -n -9 < "$stage/CHANGELOG.md" > "$documents/changelog.gz"
    gzip -n -9 < "$stage/LICENSES-OF-DEPENDENCIES" > "$documents/LICENSES-OF-DEPENDENCIES.gz"
    { echo "gridmill may be used under either of these licences, MIT or Apache-2.0."; echo
        cat "$stage/LICENSE-MIT" "$stage/LICENSE-APACHE"; } > "$documents/copyright"
    cat > "$tree/DEBIAN/control" <<END
Package: gridmill
Version: $version-1
Architecture: $3
Maintainer: those who made this package of gridmill
Section: utils
Priority: optional
Installed-Size: $(du -sk --apparent-size "$tree/usr" | cut -f 1)
Description: convert, check and solve databases of number-puzzle strings
 Sudoku and its variants, Killer, KenKen and Str8ts, in links, files and
 databases, millions at a time.
END
    chmod -R u+rw,go=rX "$tree"
    dpkg-deb --root-owner-group -Zxz --build "$tree" "$1/out/gridmill_$version-1_$3.deb" > /dev/null
    rm -r "$tree"
}

wheel() { # FOLDER TARGET
    local how=()
    case $2 in
        *-linux-gnu) how=(--zig --compatibility manylinux2014) ;;
        *-linux-musl) how=(--zig --compatibility musllinux_1_2) ;;
        *-apple-darwin) how=(--zig) ;;
    esac
    standard_library "$2"
    (flags "$1" "$2"; cd "$1/source"
        maturin build --quiet --locked --manifest-path crates/python/Cargo.toml --target "$2" "${how[@]}" --compression-level 9 --out ../out)
    rm -r "$1/target/$2"
}

make_all() { # FOLDER: its name is not in what is made in FOLDER/out
    local folder=$1 what
    rm -rf "$folder"
    mkdir -p "$folder/source" "$folder/out"
    git archive "$commit" | tar -x -C "$folder/source"
    export CARGO_TARGET_DIR=$PWD/$folder/target
    for what in "${wanted[@]}"; do
        echo "making $what ($SECONDS s)" >&2
        case $what in
            wheel-*) wheel "$folder" "${what#wheel-}" ;;
            sdist) maturin sdist --manifest-path "$folder/source/crates/python/Cargo.toml" --out "$folder/out" >&2 ;;
            npm) (cd "$folder/source"; scripts/serve.sh --build >&2; python3 crates/web/npm/pack.py target/web ../out > /dev/null) ;;
            crates)
                (cd "$folder/source"; cargo publish --quiet --locked --workspace --dry-run
                    cargo package --quiet --locked --no-verify --package gridmill --package gridmill-core --package gridmill-columns)
                cp "$folder"/target/package/*.crate "$folder/out" ;;
            sbom) (cd "$folder/source"; cargo metadata --locked --all-features --format-version 1 |
                python3 scripts/release/dependencies.py sbom Cargo.lock) > "$folder/out/gridmill-$version.cdx.json" ;;
            *) program "$folder" "$what" ;;
        esac
    done
}

mkdir -p target/dist
tools
make_all target/dist/one
if [ -n "$check" ]; then
    make_all target/dist/another-folder
    diff -r target/dist/one/out target/dist/another-folder/out
    rm -r target/dist/another-folder
    echo "two builds are the same"
fi
made=(target/dist/one/out/*)
mv "${made[@]}" target/dist
rm -r target/dist/one
cd target/dist
find . -maxdepth 1 -type f -name "*gridmill*" -printf '%f\n' | sort | xargs sha256sum > SHA256SUMS
for file in "${made[@]}"; do printf '%12d  %s\n' "$(stat -c %s "$(basename "$file")")" "$(basename "$file")"; done
