//! Databases that tests inspect.

use std::time::Duration;

use rusqlite::Connection;

use crate::support::{Done, Folder, gridmill, run};

/// A database that a test inspects.
pub(super) trait Db {
    /// Runs statements.
    fn run(&mut self, sql: &str);
    /// The rows of a query, as text; `None` for NULL.
    fn rows(&mut self, sql: &str) -> Vec<Vec<Option<String>>>;
    /// `migrate` with the arguments that name the database.
    fn place(&self) -> Vec<String>;
    /// Runs a statement that may fail because of others.
    fn tries(&mut self, sql: &str) -> bool;
    /// Another connection to it.
    fn another(&self) -> Box<dyn Db + Send>;
    /// Ends all other connections.
    fn cut(&mut self);

    /// `gridmill migrate` with these arguments.
    fn migrate(&self, args: &[&str]) -> Done {
        run(gridmill(self.place()).args(args), b"")
    }

    /// Creates a table with numbers as keys.
    fn fill(&mut self, rows: &[Option<String>]) {
        self.run("DROP TABLE IF EXISTS boards; CREATE TABLE boards (id INTEGER PRIMARY KEY, note TEXT, bd TEXT)");
        for part in rows.iter().enumerate().collect::<Vec<_>>().chunks(500) {
            let values: Vec<_> =
                part.iter().map(|(n, row)| format!("({}, 'n', {})", n + 1, literal(row.as_deref()))).collect();
            self.run(&format!("INSERT INTO boards VALUES {}", values.join(",")));
        }
    }

    fn strings(&mut self) -> Vec<Option<String>> {
        self.rows("SELECT bd FROM boards ORDER BY id").into_iter().map(|mut row| row.remove(0)).collect()
    }
}

pub(super) fn literal(text: Option<&str>) -> String {
    text.map_or("NULL".into(), |text| format!("'{}'", text.replace('\'', "''")))
}

pub(super) struct Lite {
    pub connection: Connection,
    pub path: String,
    _folder: Option<Folder>,
}

impl Lite {
    pub(super) fn new() -> Self {
        let folder = Folder::new();
        let path = folder.at("site.db").to_str().unwrap().to_string();
        Self { _folder: Some(folder), ..Self::open(path) }
    }

    fn open(path: String) -> Self {
        let connection = Connection::open(&path).unwrap();
        connection.busy_timeout(Duration::from_secs(60)).unwrap();
        Self { connection, path, _folder: None }
    }
}

impl Db for Lite {
    fn run(&mut self, sql: &str) {
        self.connection.execute_batch(sql).unwrap_or_else(|error| panic!("{error}: {sql:.200}"));
    }

    fn rows(&mut self, sql: &str) -> Vec<Vec<Option<String>>> {
        let mut statement = self.connection.prepare(sql).unwrap();
        let columns = statement.column_count();
        let text = |value| match value {
            rusqlite::types::Value::Null => None,
            rusqlite::types::Value::Integer(number) => Some(number.to_string()),
            rusqlite::types::Value::Real(number) => Some(number.to_string()),
            rusqlite::types::Value::Text(text) => Some(text),
            rusqlite::types::Value::Blob(bytes) => Some(format!("blob {}", String::from_utf8_lossy(&bytes))),
        };
        let row = |row: &rusqlite::Row| (0..columns).map(|at| row.get(at).map(text)).collect::<Result<Vec<_>, _>>();
        statement.query_map([], row).unwrap().collect::<Result<_, _>>().unwrap()
    }

    fn place(&self) -> Vec<String> {
        vec!["migrate".into(), "sqlite".into(), self.path.clone()]
    }

    fn tries(&mut self, sql: &str) -> bool {
        self.connection.execute_batch(sql).is_ok()
    }

    fn another(&self) -> Box<dyn Db + Send> {
        Box::new(Self::open(self.path.clone()))
    }

    fn cut(&mut self) {}
}
