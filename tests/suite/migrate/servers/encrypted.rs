//! Encrypted connections to servers: with TLS and a certificate for `localhost` (`GRIDMILL_POSTGRES_TLS`, `GRIDMILL_MYSQL_TLS`),
//! and without. `GRIDMILL_AUTHORITIES` is a folder with `ca.pem`, which made that certificate, and `other.pem`, which did not.

use super::mysql_db::MyServer;
use super::postgresql_db::Server;
use crate::migrate::db::Db;
use crate::support::{Done, gridmill, run};

const ARGS: [&str; 4] = ["--table", "boards", "--column", "bd"];

fn place(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| panic!("{name}: .ci/run says how"))
}

/// Previews a table, with this query in the URL.
fn look(kind: &str, address: &str, words: &str) -> Done {
    let words = words.replace("FOLDER", &place("GRIDMILL_AUTHORITIES"));
    run(gridmill(["migrate", kind, &format!("{address}?{words}")]).args(ARGS), b"")
}

/// What must work, and what must fail, with a server that only accepts encrypted connections.
fn with_a_server_that_has_it(kind: &str, address: &str) {
    let (right, wrong) = (address.to_string(), address.replace("localhost", "127.0.0.1"));
    assert_ne!(right, wrong);
    for (address, words) in [
        (&right, "sslmode=verify-full&sslrootcert=FOLDER/ca.pem"),
        (&right, "sslrootcert=FOLDER/ca.pem"),
        (&right, "sslmode=verify-ca&sslrootcert=FOLDER/ca.pem"),
        (&wrong, "sslmode=verify-ca&sslrootcert=FOLDER/ca.pem"),
        (&wrong, "sslmode=require&sslrootcert=FOLDER/ca.pem"),
        (&wrong, "sslmode=require"),
        (&wrong, "sslmode=prefer"),
        (&right, ""),
    ] {
        let done = look(kind, address, words);
        assert_eq!(done.code, Some(0), "{address} {words}: {done:?}");
    }
    let (name, unknown) =
        ("a host name that is in its certificate", "the certificate of its authority with sslrootcert=FILE");
    for (address, words, said) in [
        (&wrong, "sslmode=verify-full&sslrootcert=FOLDER/ca.pem", name),
        (&right, "sslmode=verify-full&sslrootcert=FOLDER/other.pem", unknown),
        (&right, "sslmode=verify-ca&sslrootcert=FOLDER/other.pem", unknown),
        (&right, "sslmode=require&sslrootcert=FOLDER/other.pem", unknown),
        (&right, "sslmode=verify-full&sslrootcert=system", unknown),
        (&right, "sslmode=verify-full", unknown),
        (&right, "sslmode=verify-full&sslrootcert=FOLDER/none.pem", "none.pem"),
    ] {
        let done = look(kind, address, words);
        assert!(done.stderr.contains(said), "{address} {words}: {done:?}");
        done.failed(&[said]);
    }
    // It is encrypted, since this server accepts nothing else.
    assert_eq!(look(kind, &right, "sslmode=disable").code, Some(2));
}

/// What must work, and what must fail, with a server that does not support encryption.
fn with_a_server_that_has_none(kind: &str, address: &str) {
    for words in ["sslmode=disable", "sslmode=prefer", ""] {
        let done = look(kind, address, words);
        assert_eq!(done.code, Some(0), "{words}: {done:?}");
    }
    for words in [
        "sslmode=require",
        "sslmode=require&sslrootcert=FOLDER/ca.pem",
        "sslmode=verify-ca&sslrootcert=FOLDER/ca.pem",
        "sslmode=verify-full",
        "sslrootcert=FOLDER/ca.pem",
    ] {
        look(kind, address, words).failed(&["the server has no TLS", "tunnel", "sslmode=disable"]);
    }
}

#[test]
#[ignore = "needs PostgreSQL servers with TLS and without, named by GRIDMILL_POSTGRES_TLS and GRIDMILL_POSTGRES"]
fn encrypted_postgresql() {
    let mut db = Server::new("not_encrypted");
    db.fill(&[None]);
    with_a_server_that_has_none("postgres", &db.url);
    with_a_server_that_has_it("postgres", &place("GRIDMILL_POSTGRES_TLS"));
}

#[test]
#[ignore = "needs MySQL servers with TLS and without, named by GRIDMILL_MYSQL_TLS and GRIDMILL_MYSQL"]
fn encrypted_mysql() {
    let mut db = MyServer::new("not_encrypted");
    db.fill(&[None]);
    with_a_server_that_has_none("mysql", &db.url);
    with_a_server_that_has_it("mysql", &place("GRIDMILL_MYSQL_TLS"));
}
