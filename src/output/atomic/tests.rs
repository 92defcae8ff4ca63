use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;

use super::*;
use crate::output::place::OutputPlace;

/// An output that is written under a temporary name.
fn open(path: &Path, force: bool) -> AtomicFile {
    let Ok(OutputPlace::File(place)) = OutputPlace::find(path, force) else { panic!("no place for a file") };
    AtomicFile::create_with(place, true, |_, _| Ok(None)).expect("a temporary")
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<_> = entries.map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn finish(mut file: AtomicFile) -> Result<(), Error> {
    file.sync().and_then(|()| file.prepare()).and_then(|()| file.put_in_place()).map(drop)
}

#[test]
fn files_with_names_are_put_in_their_places() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("out");
    for (force, bytes) in [(false, "new"), (true, "newer")] {
        let mut file = open(&path, force);
        let temporary = names(folder.path()).remove(0);
        assert!(temporary.starts_with(".out.") && temporary.ends_with(".gridmill-tmp"), "{temporary}");
        file.write(bytes.as_bytes()).expect("writing");
        finish(file).expect("finishing");
        assert_eq!(names(folder.path()), ["out"]);
        assert_eq!(fs::read_to_string(&path).expect("reading"), bytes);
    }
    drop(open(&path, true));
    assert_eq!(names(folder.path()), ["out"]);
    fs::remove_file(&path).expect("removing");
    let file = open(&path, false);
    fs::write(&path, "somebody else's").expect("writing");
    assert!(finish(file).expect_err("it is there").to_string().contains("in the meantime"));
    assert_eq!(names(folder.path()), ["out"]);
}

#[test]
fn what_replaces_a_private_file_is_private_from_the_start() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("out");
    for mode in [0o600, 0o640, 0o644] {
        fs::write(&path, "old").expect("writing");
        fs::set_permissions(&path, Permissions::from_mode(mode)).expect("chmod");
        let file = open(&path, true);
        let of = |name: &str| fs::metadata(folder.path().join(name)).expect("metadata").mode() & 0o777;
        assert_eq!(of(&names(folder.path())[0]), 0o600);
        finish(file).expect("finishing");
        assert_eq!(of("out"), mode);
    }
}

#[test]
fn a_folder_that_was_renamed_keeps_no_temporary() {
    let folder = tempfile::tempdir().expect("a folder");
    let (before, after) = (folder.path().join("before"), folder.path().join("after"));
    for in_its_place in [false, true] {
        fs::create_dir(&before).expect("a folder");
        let file = open(&before.join("out"), false);
        fs::rename(&before, &after).expect("renaming");
        if in_its_place {
            symlink("after", &before).expect("a link");
            finish(file).expect("the folder is where its name leads");
            assert_eq!(names(&after), ["out"]);
        } else {
            assert!(finish(file).expect_err("it is elsewhere").to_string().contains("renamed or removed"));
            assert_eq!(names(&after), [""; 0]);
            fs::remove_dir(&after).expect("removing");
        }
    }
}

#[test]
fn a_file_that_gets_no_name_is_copied_to_one_that_has_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("out");
    fs::write(&path, "old").expect("writing");
    let Ok(OutputPlace::File(place)) = OutputPlace::find(&path, true) else { panic!("no place for a file") };
    let mut file = AtomicFile::create(place, true).expect("a file");
    file.write(b"some text").expect("writing");
    file.sync().expect("syncing");
    file.copy().expect("copying");
    assert_eq!(names(folder.path()).len(), 2);
    finish(file).expect("finishing");
    assert_eq!(names(folder.path()), ["out"]);
    assert_eq!(fs::read_to_string(&path).expect("reading"), "some text");
}
