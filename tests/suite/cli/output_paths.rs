use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::support::{Done, Folder, PLAIN, convert, gridmill, have, program, run, shell, v2};

/// `gridmill convert -q INPUT -o OUT MORE`.
#[track_caller]
fn convert_file(input: &Path, out: &Path, more: &[&str]) -> Done {
    run(program().args(["convert", "-q"]).arg(input).arg("-o").arg(out).args(more), b"")
}

#[test]
fn an_input_is_never_written_whatever_its_name() {
    let folder = Folder::new();
    let text = format!("{PLAIN}\nbad\n");
    let input = folder.write("in", &text);
    let other = folder.write("other", &text);
    let (hard, soft) = (folder.at("hard"), folder.at("soft"));
    fs::hard_link(&input, &hard).expect("a link");
    symlink("in", &soft).expect("a link");
    let names = folder.names();
    for name in [
        input.clone(),
        hard,
        soft,
        folder.path().join("./in"),
        folder.path().join("../").join(folder.path().file_name().expect("a name")).join("in"),
    ] {
        for flag in ["-o", "--rejects", "--list-solved", "--report"] {
            for force in [&["-f"][..], &[]] {
                let done =
                    run(program().args(["convert", "-q"]).args([&other, &input]).arg(flag).arg(&name).args(force), b"");
                done.failed(&[name.file_name().expect("a name").to_str().expect("UTF-8"), "also an input"]);
                // Also if the input is stdin.
                let file = fs::File::open(&input).expect("opening");
                let mut command = program();
                command.args(["convert", "-q", "-f", flag]).arg(&name).stdin(file);
                let done = command.output().expect("a run");
                assert_eq!(done.status.code(), Some(2));
                assert!(String::from_utf8_lossy(&done.stderr).contains("also an input"));
            }
        }
        assert_eq!((folder.text("in"), folder.text("other")), (text.clone(), text.clone()));
    }
    assert_eq!(folder.names(), names);
    // Appended to by the shell.
    let done = run(shell("$G convert -q in >> in").current_dir(folder.path()), b"");
    done.failed(&["<stdout>", "also an input"]);
    let done = run(shell("$G convert -q < in >> in").current_dir(folder.path()), b"");
    done.failed(&["<stdout>", "also an input"]);
    let done = run(shell("$G convert -q in -o /dev/stdout >> in").current_dir(folder.path()), b"");
    done.failed(&["also an input"]);
    assert_eq!(folder.text("in"), text);
}

#[test]
fn a_drawing_is_never_written_over_what_was_drawn() {
    let folder = Folder::new();
    let text = format!("{PLAIN}\n");
    folder.write("in", &text);
    for script in ["$G show -f --svg in < in", "$G show -f --svg ./in - < in", "$G bench -f --runs 1 -j1 --svg in in"] {
        run(shell(script).current_dir(folder.path()), b"").failed(&["in", "also an input"]);
        assert_eq!(folder.text("in"), text);
    }
    // An argument is not an input, whatever stdin is.
    run(shell(&format!("$G show -f --svg in {PLAIN} < in")).current_dir(folder.path()), b"").good();
    run(shell("echo > in; $G show -f --svg in 1").current_dir(folder.path()), b"").failed(&["no board to draw"]);
    let done = run(shell(&format!("$G show --svg in {PLAIN}")).current_dir(folder.path()), b"");
    done.failed(&["in", "-f/--force"]);
    for to in ["> /dev/full", ">&-", "--svg /dev/full"] {
        run(&mut shell(&format!("$G show {to} {PLAIN}")), b"").failed(&[]);
    }
    run(&mut shell(&format!("$G show {PLAIN} --ascii")), b"").good();
    run(&mut shell(&format!("$G show --ascii --from plain -- {}", "-".repeat(81))), b"").good();
    folder.write("many", text.repeat(2000));
    let done = run(shell("set -o pipefail; $G show < many | head -1").current_dir(folder.path()), b"");
    assert_eq!((done.code, done.stderr.as_str()), (Some(0), ""));
}

#[test]
fn an_existing_output_needs_force_and_is_replaced_whole() {
    let folder = Folder::new();
    let input = folder.write("in", format!("{PLAIN}\n"));
    let out = folder.write("out", "old");
    convert_file(&input, &out, &[]).failed(&["out", "-f/--force"]);
    run(gridmill(["gen", "--count=1", "-o"]).arg(&out), b"").failed(&["out", "-f/--force"]);
    assert_eq!(folder.text("out"), "old");
    fs::set_permissions(&out, Permissions::from_mode(0o640)).expect("chmod");
    convert_file(&input, &out, &["-f"]).good();
    assert_eq!(folder.text("out"), format!("{}\n", v2(PLAIN)));
    assert_eq!(fs::metadata(&out).expect("metadata").mode() & 0o7777, 0o640);
    convert_file(&input, &out, &["--force", "--no-sync"]).good();
    // A new file has the usual mode of new files.
    let done = run(shell("umask 027; $G convert -q in -o new && stat -c %a new").current_dir(folder.path()), b"");
    assert_eq!(done.good(), b"640\n");
    assert_eq!(folder.names(), ["in", "new", "out"]);
}

#[test]
fn links_are_followed_and_dangling_ones_get_their_target() {
    let (folder, other) = (Folder::new(), Folder::new());
    let input = folder.write("in", format!("{PLAIN}\nbad\n"));
    let link = folder.at("link");
    symlink(other.at("target"), &link).expect("a link");
    assert_eq!(convert_file(&input, &link, &[]).code, Some(1));
    assert_eq!(other.text("target"), format!("{}\n", v2(PLAIN)));
    assert!(fs::symlink_metadata(&link).expect("metadata").is_symlink());
    // The rejects are beside the name that was given.
    assert_eq!(
        (folder.names(), other.names()),
        (vec!["in".into(), "link".into(), "link.rejects.tsv".into()], vec!["target".into()])
    );
    convert_file(&input, &link, &[]).failed(&["already exists"]);
    assert_eq!(convert_file(&input, &link, &["-f"]).code, Some(1));
    for (name, target) in [("round", "round"), ("a", "b"), ("b", "a")] {
        symlink(target, folder.at(name)).expect("a link");
    }
    for name in ["round", "a", "b"] {
        convert_file(&input, &folder.at(name), &["-f"]).failed(&["links", "loop"]);
    }
    symlink("/no/such/folder/file", folder.at("nowhere")).expect("a link");
    convert_file(&input, &folder.at("nowhere"), &[]).failed(&["nowhere", "does not exist"]);
}

#[test]
fn places_that_are_no_files_are_refused_before_anything_is_read() {
    let folder = Folder::new();
    let input = folder.write("in", format!("{PLAIN}\n"));
    for (name, words) in [
        (".", &["folder"][..]),
        ("..", &["folder"]),
        ("/", &["folder"]),
        ("new/", &["folder"]),
        ("no/out", &["no", "does not exist"]),
        ("in/out", &["in"]),
    ] {
        for flag in ["-o", "--rejects", "--list-solved", "--report"] {
            let mut command = gridmill(["convert", "-q", "in", flag, name]);
            let done = run(command.current_dir(folder.path()), b"");
            assert!(done.stdout.is_empty(), "{flag} {name:?}");
            done.failed(if name == "/" { &[] } else { words });
        }
    }
    run(&mut gridmill(["convert", "-o", ""]), b"").failed(&["--output"]);
    let long = "x".repeat(300);
    convert_file(&input, &folder.at(&long), &[]).failed(&["File name too long"]);
    assert_eq!(folder.names(), ["in"]);
}

#[test]
fn two_outputs_are_two_files() {
    let folder = Folder::new();
    folder.write("in", format!("{PLAIN}\n"));
    symlink("same", folder.at("link")).expect("a link");
    for (a, b) in [
        (["-o", "same"], ["--rejects", "same"]),
        (["-o", "same"], ["--rejects", "./same"]),
        (["-o", "same"], ["--report", "link"]),
        (["-o", "link"], ["--list-solved", "same"]),
        (["--rejects", "same"], ["--list-solved", "same"]),
        (["--report", "same"], ["--list-solved", "same"]),
        (["-o", "same"], ["--report", "same.rejects.tsv"]),
    ] {
        let done = run(gridmill(["convert", "-f", "in"]).args(a).args(b).current_dir(folder.path()), b"");
        done.failed(&["same file", a[0].trim_start_matches('-').get(..1).unwrap_or(""), b[0]]);
    }
    assert_eq!(folder.names(), ["in", "link"]);
    // A device may be used by any number of outputs.
    let done =
        run(&mut gridmill(["convert", "-o", "/dev/null", "--rejects", "/dev/null", "--report", "/dev/null"]), b"bad\n");
    assert_eq!(done.code, Some(1));
}

#[test]
fn read_only_files_stay() {
    let folder = Folder::new();
    let input = folder.write("in", format!("{PLAIN}\n"));
    let out = folder.write("out", "old");
    fs::set_permissions(&out, Permissions::from_mode(0o444)).expect("chmod");
    for force in [&["-f"][..], &[]] {
        convert_file(&input, &out, force).failed(&["out"]);
    }
    convert_file(&input, &out, &["-f"]).failed(&["read-only"]);
    for flag in ["--rejects", "--list-solved", "--report"] {
        let done = run(gridmill(["convert", "-qf", flag]).arg(&out).arg(&input), b"");
        done.failed(&["out", "read-only"]);
    }
    assert_eq!((folder.text("out").as_str(), folder.names().len()), ("old", 2));
}

/// The program at a place where every user can run it.
fn for_everybody() -> &'static Path {
    static PROGRAM: OnceLock<(Folder, PathBuf)> = OnceLock::new();
    let (_, path) = PROGRAM.get_or_init(|| {
        let folder = Folder::open();
        let path = folder.at("gridmill");
        fs::copy(env!("CARGO_BIN_EXE_gridmill"), &path).expect("copying the program");
        fs::set_permissions(&path, Permissions::from_mode(0o755)).expect("chmod");
        (folder, path)
    });
    path
}

/// The program as an unprivileged user, or `None` if that is not possible.
fn as_somebody() -> Option<Command> {
    if fs::metadata(for_everybody()).expect("metadata").uid() != 0 {
        return Some(program());
    }
    if !have("setpriv", "--version") {
        return None;
    }
    let mut command = Command::new("setpriv");
    command.args(["--reuid", "65534", "--regid", "65534", "--clear-groups"]).arg(for_everybody());
    Some(command)
}

#[test]
fn what_the_user_may_not_do_is_refused_and_leaves_nothing() {
    let folder = Folder::open();
    let input = folder.write("in", format!("{PLAIN}\n"));
    fs::set_permissions(&input, Permissions::from_mode(0o644)).expect("chmod");
    let secret = folder.write("secret", "x");
    fs::set_permissions(&secret, Permissions::from_mode(0o000)).expect("chmod");
    let theirs = folder.write("theirs", "old");
    fs::set_permissions(&theirs, Permissions::from_mode(0o444)).expect("chmod");
    let closed = folder.at("closed");
    fs::create_dir(&closed).expect("a folder");
    fs::write(closed.join("old"), "old").expect("writing");
    fs::set_permissions(closed.join("old"), Permissions::from_mode(0o666)).expect("chmod");
    fs::set_permissions(&closed, Permissions::from_mode(0o555)).expect("chmod");
    let convert_as_somebody = |arguments: &[&Path]| {
        let mut command = as_somebody()?;
        command.args(["convert", "-q", "-f"]).args(arguments);
        Some(run(&mut command, b""))
    };
    let flag = Path::new;
    let before = folder.names();
    let Some(done) = convert_as_somebody(&[&input, flag("-o"), &closed.join("new")]) else { return };
    done.failed(&["closed", "Permission denied", "write elsewhere"]);
    for (arguments, words) in [
        (vec![&*input, flag("-o"), &closed.join("old")], vec!["closed", "Permission denied"]),
        (vec![&input, flag("-o"), &theirs], vec!["theirs", "read-only"]),
        (vec![&input, flag("--rejects"), &closed.join("new")], vec!["closed", "Permission denied"]),
        (vec![&input, flag("--report"), &closed.join("new")], vec!["closed", "Permission denied"]),
        (vec![&secret], vec!["secret", "Permission denied"]),
        (vec![&input, &secret, flag("-o"), &folder.at("new")], vec!["secret", "Permission denied"]),
    ] {
        let done = convert_as_somebody(&arguments).expect("as before");
        assert!(done.stdout.is_empty());
        done.failed(&words);
    }
    assert_eq!(folder.names(), before);
    assert_eq!(fs::read_dir(&closed).expect("a folder").count(), 1);
    // What the user is permitted to do works.
    convert_as_somebody(&[&input, flag("-o"), &folder.at("fine")]).expect("as before").good();
    fs::set_permissions(&closed, Permissions::from_mode(0o755)).expect("chmod");
}

#[test]
#[ignore = "sets a limit of the system, so .ci/run runs it alone"]
fn more_threads_than_the_user_may_have_are_an_error() {
    if fs::metadata(for_everybody()).expect("metadata").uid() != 0 || !have("setpriv", "--version") {
        return; // all processes of an ordinary user count, and their number is unknown
    }
    let folder = Folder::open();
    folder.fifo("pipe");
    // All processes of a user count, so it is one that no other run of this test has.
    let user = 20_000 + std::process::id() % 40_000;
    // A pipe that stays open, so that threads stay alive.
    let script = format!(
        "exec 3<>pipe; ulimit -u 4; exec setpriv --reuid {user} --regid {user} --clear-groups {} convert -j1024 -o out <&3",
        for_everybody().display()
    );
    let done = run(shell(&script).current_dir(folder.path()), b"");
    done.failed(&[" threads", "-j"]);
    assert_eq!(folder.names(), ["pipe"]);
}

#[test]
fn devices_that_are_full_are_an_error() {
    let folder = Folder::new();
    let input = folder.write("in", format!("{PLAIN}\nbad\n"));
    let full = Path::new("/dev/full");
    convert_file(&input, full, &[]).failed(&["/dev/full", "No space left"]);
    convert_file(&input, full, &["--zstd"]).failed(&["/dev/full", "No space left"]);
    let done = run(shell("$G convert -q in > /dev/full").current_dir(folder.path()), b"");
    done.failed(&["<stdout>", "No space left"]);
    let done = run(shell("$G gen > /dev/full").current_dir(folder.path()), b"");
    done.failed(&["<stdout>", "No space left"]);
    for flag in ["--rejects", "--list-solved", "--report"] {
        let out = folder.at("out");
        let done = convert_file(&input, &out, &[flag, "/dev/full"]);
        done.failed(&["/dev/full", "No space left"]);
        assert_eq!(folder.names(), ["in"], "{flag}");
    }
    // A full stderr: the rejects cannot be reported, so the run fails.
    let done = run(shell("$G convert -q in 2> /dev/full").current_dir(folder.path()), b"");
    assert_eq!(done.code, Some(2));
}

#[test]
#[ignore = "sets a limit of the system, so .ci/run runs it alone"]
fn a_limit_of_the_shell_on_files_is_an_error_and_no_death() {
    let folder = Folder::new();
    folder.write("in", format!("{PLAIN}\n").repeat(5000));
    let done = run(shell("ulimit -f 100; $G convert -q in -o out").current_dir(folder.path()), b"");
    done.failed(&["out", "File too large"]);
    assert_eq!(folder.names(), ["in"]);
}

#[test]
fn a_name_that_was_taken_meanwhile_is_not_taken_over() {
    let folder = Folder::new();
    let pipe = folder.fifo("pipe");
    let out = folder.at("out");
    let child =
        program().args(["convert", "-q"]).arg(&pipe).arg("-o").arg(&out).stderr(std::process::Stdio::piped()).spawn();
    let mut writer = fs::OpenOptions::new().write(true).open(&pipe).expect("opening the pipe");
    std::io::Write::write_all(&mut writer, PLAIN.as_bytes()).expect("writing");
    // The run has started: the pipe is open.
    folder.write("out", "somebody else's");
    drop(writer);
    crate::support::finish(child.expect("the program starts")).failed(&["out", "in the meantime"]);
    assert_eq!((folder.text("out").as_str(), folder.names().len()), ("somebody else's", 2));
}

#[test]
fn outputs_by_the_name_of_a_stream() {
    let expected = format!("{}\n", v2(PLAIN));
    let text = format!("{PLAIN}\n");
    for name in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
        assert_eq!(convert(["-o", name], text.as_bytes()).good(), expected.as_bytes());
    }
    let done = convert(["-o", "/dev/null", "--rejects", "/dev/stdout"], b"bad\n");
    assert_eq!((done.code, done.text().lines().count()), (Some(1), 2));
    let folder = Folder::new();
    let done = run(
        shell("echo before > log; $G convert -q -o /dev/stdout >> log; cat log").current_dir(folder.path()),
        text.as_bytes(),
    );
    assert_eq!(done.good(), format!("before\n{expected}").as_bytes());
}
