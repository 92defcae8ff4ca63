//! What only PostgreSQL and MySQL have, and connections to them.

/// Encrypted connections.
mod encrypted;
/// MySQL databases that tests inspect.
pub(super) mod mysql_db;
/// What only MySQL has.
mod only_mysql;
/// What only PostgreSQL has.
mod only_postgresql;
/// Passwords in addresses.
mod passwords;
/// PostgreSQL databases that tests inspect.
pub(super) mod postgresql_db;
/// Keys of PostgreSQL.
mod postgresql_keys;

use super::db::Db;
use super::lines;

/// Reads no more rows of the index than with a single column: a page does not read all rows before it.
fn pages_are_found_by_the_index(db: &mut dyn Db, rows_read: &dyn Fn(&mut dyn Db) -> u64) {
    let lines = lines(6_000, 4);
    db.run(
        "CREATE TABLE boards (a INT NOT NULL, b VARCHAR(9) NOT NULL, c INT NOT NULL, bd TEXT, PRIMARY KEY (a, b, c))",
    );
    let values = lines.iter().enumerate().map(|(n, line)| format!("(7, 'k', {n}, '{line}')"));
    db.run(&format!("INSERT INTO boards VALUES {}", values.collect::<Vec<_>>().join(",")));
    let before = rows_read(db);
    let done = db.migrate(&["--table", "boards", "--column", "bd", "--yes", "--batch", "50"]);
    assert!(done.code == Some(0) && done.stderr.starts_with("gridmill: 6,000 rows: 6,000 written"), "{done:?}");
    let read = rows_read(db) - before;
    // Previewed, read, written and verified. 120 pages of 3000 rows on average would be 360,000.
    assert!((12_000..60_000).contains(&read), "{read} rows were read");
}

fn number(rows: &[Vec<Option<String>>]) -> u64 {
    rows[0][0].as_ref().map_or(0, |number| number.parse().unwrap())
}
