//! MySQL and MariaDB databases that tests inspect.

use mysql_async::prelude::Queryable;
use mysql_async::{Conn, Opts, Row, Value};
use tokio::runtime::Runtime;

use crate::migrate::db::Db;

/// A database for one test, on the server that `GRIDMILL_MYSQL` names.
pub(in crate::migrate) struct MyServer {
    runtime: Runtime,
    conn: Conn,
    pub url: String,
}

impl MyServer {
    pub(in crate::migrate) fn new(name: &str) -> Self {
        let place =
            std::env::var("GRIDMILL_MYSQL").expect("GRIDMILL_MYSQL names a server: mysql://root@127.0.0.1:3306");
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let url = format!("{place}/gridmill_{name}");
        let options = Opts::from_url(&format!("{place}/mysql?prefer_socket=false")).unwrap();
        let conn = runtime.block_on(Conn::new(options)).expect("the server answers");
        let mut this = Self { runtime, conn, url };
        this.run(&format!(
            "DROP DATABASE IF EXISTS gridmill_{name}; CREATE DATABASE gridmill_{name} CHARACTER SET utf8mb4; USE gridmill_{name};
             SET sql_mode = 'ANSI_QUOTES,PIPES_AS_CONCAT,STRICT_ALL_TABLES,NO_BACKSLASH_ESCAPES'"
        ));
        this
    }
}

impl Db for MyServer {
    fn run(&mut self, sql: &str) {
        let done = self.runtime.block_on(self.conn.query_drop(sql));
        done.unwrap_or_else(|error| panic!("{error}: {sql:.200}"));
    }

    fn rows(&mut self, sql: &str) -> Vec<Vec<Option<String>>> {
        let rows: Vec<Row> =
            self.runtime.block_on(self.conn.query(sql)).unwrap_or_else(|error| panic!("{error}: {sql:.200}"));
        let text = |value| match value {
            Value::NULL => None,
            Value::Bytes(bytes) => Some(String::from_utf8_lossy(&bytes).into_owned()),
            other => panic!("not as text: {other:?}"),
        };
        rows.into_iter().map(|row| row.unwrap().into_iter().map(text).collect()).collect()
    }

    fn place(&self) -> Vec<String> {
        vec!["migrate".into(), "mysql".into(), self.url.clone()]
    }

    fn tries(&mut self, sql: &str) -> bool {
        self.runtime.block_on(self.conn.query_drop(sql)).is_ok()
    }

    fn another(&self) -> Box<dyn Db + Send> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let options = Opts::from_url(&format!("{}?prefer_socket=false", self.url)).unwrap();
        let conn = runtime.block_on(Conn::new(options)).expect("the server answers");
        Box::new(Self { runtime, conn, url: self.url.clone() })
    }

    fn cut(&mut self) {
        let others = "SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID()";
        for id in self.rows(others).into_iter().flatten().flatten() {
            // It may have disappeared meanwhile.
            let _ = self.runtime.block_on(self.conn.query_drop(format!("KILL {id}")));
        }
    }
}
