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
