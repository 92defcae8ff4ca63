//! `restore` with an address that contains a password, whatever database the backup is from. No server is needed: a
//! message about a connection that failed must not repeat the password either.

use std::fs;
use std::path::Path;

use crate::migrate::db::{Db, Lite};
use crate::migrate::lines;
use crate::support::{Folder, gridmill, run};

/// The header of a backup, as of another database.
fn backup_of(server: &str, backup: &Path, folder: &Folder) {
    let text = zstd::decode_all(fs::File::open(backup).unwrap()).unwrap();
    let header = String::from_utf8_lossy(text.split(|&byte| byte == b'\n').next().unwrap());
    let [of_sqlite, of_server] = ["sqlite", server].map(|name| format!("\"database\":\"{name}\""));
    assert!(header.contains(&of_sqlite));
    let header = header.replace(&of_sqlite, &of_server) + "\n";
    folder.write(server, zstd::encode_all(header.as_bytes(), 1).unwrap());
}

#[test]
fn a_restore_shows_no_password() {
    let (mut db, folder) = (Lite::new(), Folder::new());
    let old: Vec<_> = lines(10, 5).into_iter().map(Some).collect();
    db.fill(&old);
    let backup = folder.at("sqlite");
    let table = ["--table", "boards", "--column", "bd", "--yes", "-q", "--backup", backup.to_str().unwrap()];
    assert_eq!(db.migrate(&table).code, Some(0));
    let new = db.strings();
    backup_of("postgres", &backup, &folder);
    backup_of("mysql", &backup, &folder);
    let specials = (' '..='~').filter(|c| !c.is_ascii_alphanumeric());
    let mut connections = 0;
    for one in specials {
        for url in [
            format!("postgres://u:fir{one}s3c@r3t@127.0.0.1:1/base"),
            format!("mysql://u:1{one}s3c@r3t@127.0.0.1:1/base"),
            format!("postgresql://u:fir{one}s3cr3t@127.0.0.1:1/base"),
            format!("mysql://u:fir{one}s3cr3t@127.0.0.1:1/base"),
            format!("mysql://u:s3c%{:02x}r3t@127.0.0.1:1/base", u32::from(one)),
            format!("postgres://u:s3c%{:02x}r3t@127.0.0.1:1/base", u32::from(one)),
            format!("host=127.0.0.1 port=1 user=u password=fir{one}s3c:r3t dbname=base"),
        ] {
            for server in ["postgres", "mysql", "sqlite"] {
                for more in [&["--yes", "-q"][..], &["--max-lag", "5", "--replica", &url]] {
                    let done =
                        run(gridmill(["migrate", "restore", server, &url]).args(more).current_dir(folder.path()), b"");
                    let what = format!("{server} {url} {more:?}: {done:?}");
                    assert_eq!(done.code, Some(2), "{what}");
                    let said = format!("{}{}", done.stderr, done.text());
                    assert!(!said.contains("s3c") && !said.contains("r3t") && said.len() > 20, "{what}");
                    connections += usize::from(said.contains("cannot connect"));
                }
            }
        }
    }
    assert!(connections > 100, "{connections}");
    // A server that does not answer is named.
    let url = "postgres://u:s3cr3t@127.0.0.1:1/base";
    let done = run(gridmill(["migrate", "restore", "postgres", url]).current_dir(folder.path()), b"");
    done.failed(&["127.0.0.1", "cannot connect"]);
    // Neither the database nor the backup has changed.
    assert_eq!(db.strings(), new);
    let done = run(gridmill(["migrate", "restore", "sqlite", &db.path, "--yes"]).current_dir(folder.path()), b"");
    assert_eq!((done.code, db.strings()), (Some(0), old), "{}", done.stderr);
}

/// The text after an @ in a password is not taken for a host, and not shown.
#[test]
fn passwords_with_an_at_sign() {
    let at = "postgres://me:top@secret@127.0.0.1:1/none";
    let done = run(gridmill(["migrate", "postgres", at]).args(["--table", "t", "--column", "c"]), b"");
    assert!(!done.stderr.contains("secret"), "{}", done.stderr);
    done.failed(&["%40", "PGPASSWORD"]);
}

#[test]
fn a_part_of_a_password_was_printed() {
    let specials: Vec<char> = (' '..='~').filter(|c| !c.is_ascii_alphanumeric()).collect();
    for one in &specials {
        for other in ['@', '/', ':', '?', '#', '%', ',', ' '] {
            for (server, url) in [
                ("postgres", format!("postgres://u:fir{one}s3c{other}r3t@127.0.0.1:1/base")),
                ("postgres", format!("postgresql://u:1{one}s3c{other}r3t@127.0.0.1:1/base")),
                ("postgres", format!("host=127.0.0.1 port=1 user=u password=fir{one}s3c{other}r3t dbname=base")),
                ("mysql", format!("mysql://u:fir{one}s3c{other}r3t@127.0.0.1:1/base")),
            ] {
                let done = run(&mut gridmill(["migrate", server, &url, "--table", "t", "--column", "c"]), b"");
                assert_eq!(done.code, Some(2), "{url}: {done:?}");
                assert!(!done.stderr.contains("s3c") && !done.stderr.contains("r3t"), "{url}: {}", done.stderr);
            }
        }
    }
}
