//! Files of the shared folder. Tests that use them need the folder beside the project (or where `GRIDMILL_SHARED`
//! says). Without it they are skipped, or fail if `CI` is set.

use std::path::{Path, PathBuf};

/// A file of the shared folder, or `None` on a machine without it.
pub(crate) fn shared(file: &str) -> Option<Vec<u8>> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let beside = || here.ancestors().map(|folder| folder.join("shared")).find(|folder| folder.join("oracle").is_dir());
    let folder = std::env::var_os("GRIDMILL_SHARED").map(PathBuf::from).or_else(beside).unwrap_or_default();
    match std::fs::read(folder.join(file)) {
        Ok(text) => Some(text),
        Err(error) => {
            assert!(std::env::var_os("CI").is_none(), "{file} of the shared folder: {error}");
            eprintln!("skipped: the shared folder has no {file} here");
            None
        }
    }
}

/// The rows of a file of vectors as fields, without the header.
pub(crate) fn vectors(file: &str) -> Option<Vec<Vec<String>>> {
    let text = String::from_utf8(shared(&format!("oracle/vectors/{file}"))?).expect("text");
    let fields = |line: &str| line.split('\t').map(str::to_string).collect();
    let rows: Vec<_> = text.lines().skip(1).map(fields).collect();
    assert!(!rows.is_empty());
    Some(rows)
}
