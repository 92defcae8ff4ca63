//! PostgreSQL databases that tests inspect.

use crate::migrate::db::Db;

pub(in crate::migrate) struct Server {
    pub client: postgres::Client,
    pub url: String,
}

impl Server {
    /// A database for one test.
    pub(in crate::migrate) fn new(name: &str) -> Self {
        let url = std::env::var("GRIDMILL_POSTGRES")
            .expect("GRIDMILL_POSTGRES names a server: postgres://postgres@127.0.0.1:5432");
        let connect = |url: &str| postgres::Client::connect(url, postgres::NoTls).expect("the server answers");
        let mut client = connect(&format!("{url}/postgres"));
        client.batch_execute(&format!("DROP DATABASE IF EXISTS gridmill_{name} WITH (FORCE)")).unwrap();
        client.batch_execute(&format!("CREATE DATABASE gridmill_{name}")).unwrap();
        let url = format!("{url}/gridmill_{name}");
        Self { client: connect(&url), url }
    }
}

impl Db for Server {
    fn run(&mut self, sql: &str) {
        self.client.batch_execute(sql).unwrap_or_else(|error| panic!("{error}: {sql:.200}"));
    }

    fn rows(&mut self, sql: &str) -> Vec<Vec<Option<String>>> {
        let messages = self.client.simple_query(sql).unwrap();
        let rows = messages.iter().filter_map(|message| match message {
            postgres::SimpleQueryMessage::Row(row) => Some(row),
            _ => None,
        });
        rows.map(|row| (0..row.len()).map(|at| row.get(at).map(str::to_string)).collect()).collect()
    }

    fn place(&self) -> Vec<String> {
        vec!["migrate".into(), "postgres".into(), self.url.clone()]
    }

    fn tries(&mut self, sql: &str) -> bool {
        self.client.batch_execute(sql).is_ok()
    }

    fn another(&self) -> Box<dyn Db + Send> {
        let client = postgres::Client::connect(&self.url, postgres::NoTls).expect("the server answers");
        Box::new(Self { client, url: self.url.clone() })
    }

    fn cut(&mut self) {
        self.rows(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
             WHERE pid <> pg_backend_pid() AND datname = current_database() AND application_name = 'gridmill'",
        );
    }
}
