//! The table, its columns and its key.

use super::messages::message;
use super::{KeyOrder, KeyType, Postgres};
use crate::error::{Error, escape};
use crate::migrate::dialect::{
    JOURNAL, KeyColumn, NO_KEY, NO_VALUES, RowKey, StringColumn, TRY_FILTER, TableColumn, check_roles, check_values,
    fault, is_of_columns, named_key, no_index, trials_of, unsuited,
};
use crate::migrate::{JobColumn, MigrationJob};

/// A unique index.
struct PostgresIndex {
    is_primary: bool,
    /// Its columns: names, names as in statements, and types.
    names: Vec<String>,
    columns: Vec<KeyColumn>,
    types: Vec<KeyType>,
    may_be_null: bool,
    /// The preferred indexes use the collations of their columns and the default order of values.
    rank: (bool, bool),
}

impl Postgres {
    /// Checks the table and its columns, and finds the key.
    pub(super) fn check(&mut self, job: &MigrationJob) -> Result<(), Error> {
        let database = self.table.database.clone();
        let fail = |message: String| unsuited(&database, job, message);
        // The name as it is, or schema and name.
        let (schema, table) = job.table.split_once('.').unwrap_or(("", ""));
        let found = self.client.query_opt(
            "SELECT c.oid, format('%I.%I', n.nspname, c.relname), c.relkind::text, c.relname = $4,
                    EXISTS (SELECT FROM pg_trigger t WHERE (t.tgrelid = c.oid OR t.tgrelid IN (SELECT relid FROM pg_partition_tree(c.oid)))
                            AND NOT t.tgisinternal AND t.tgenabled <> 'D')
                    OR EXISTS (SELECT FROM pg_rewrite r WHERE r.ev_class = c.oid AND r.ev_enabled <> 'D')
             FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = coalesce(
                to_regclass(quote_ident($1)), CASE WHEN $2 = '' THEN NULL ELSE to_regclass(quote_ident($2) || '.' || quote_ident($3)) END)",
            &[&job.table, &schema, &table, &JOURNAL],
        );
        let Some(row) = found.map_err(|error| fail(message(&error)))? else {
            let there_are = self.other_tables(&job.table).map_err(|error| fail(message(&error)))?;
            return Err(fail(format!("there is no such table; put a schema before a dot: app.boards{there_are}")));
        };
        let (oid, name, kind): (u32, String, String) = (row.get(0), row.get(1), row.get(2));
        // Without a schema in the search path, the journal goes where the table is.
        let own_schema = "SELECT set_config('search_path', quote_ident(n.nspname), false)
                          FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                          WHERE c.oid = $1 AND current_schema() IS NULL";
        self.client.query_opt(own_schema, &[&oid]).map_err(|error| fail(message(&error)))?;
        if !["r", "p"].contains(&kind.as_str()) {
            let what = match kind.as_str() {
                "v" => "a view",
                "m" => "a materialized view",
                "f" => "a foreign table, of another server",
                _ => "not a table",
            };
            return Err(fail(format!("it is {what}; name the table that has the column")));
        }
        if row.get(3) {
            return Err(fail("it is the journal of migrations".into()));
        }
        (self.table.has_triggers, self.table.deleted) = (row.get(4), Some(deleted(oid)));
        // A key is unique within the table itself, and rows of child tables may repeat it. Rows of partitions count as
        // the table's own.
        self.table.name = if kind == "p" { name } else { format!("ONLY {name}") };
        let children = self.children(oid).map_err(|error| fail(message(&error)))?;
        self.table.notes.extend(children);
        let mut columns = Vec::new();
        for JobColumn { name, to } in &job.columns {
            let column = self.find_column(oid, name)?;
            columns.push(StringColumn { column, to: to.as_deref().map(|to| self.find_column(oid, to)).transpose()? });
        }
        let indexes = self.unique_indexes(oid).map_err(|error| fail(message(&error)))?;
        let named = match &job.key {
            None => None,
            Some(key) => {
                let all = self.column_names(oid).map_err(|error| fail(message(&error)))?;
                Some(named_key(&database, job, key, &all, |column, name| column == name)?)
            }
        };
        let is_it = |index: &&PostgresIndex| match &named {
            None => index.is_primary,
            Some(key) => is_of_columns(&index.names, key),
        };
        let Some(index) = indexes.iter().find(is_it) else {
            return Err(match &named {
                None => fail(NO_KEY.into()),
                Some(key) => no_index(&database, job, key),
            });
        };
        let key = RowKey { columns: index.columns.clone(), one_by_one: false, filter: job.filter.clone() };
        check_roles(&self.table.database, job, &columns, &key)?;
        self.table.columns = columns;
        if index.may_be_null {
            let sql = format!("SELECT count(*) FROM {} WHERE {}", self.table.name, key.is_null());
            let nulls: i64 = self.client.query_one(&sql, &[]).map_err(|error| fail(message(&error)))?.get(0);
            check_values(&self.table.database, job, &key, nulls.unsigned_abs())?;
        }
        (self.table.key, self.key_types) = (key, index.types.clone());
        self.key_order = KeyOrder::of(&self.key_types);
        self.try_filter(job)
    }

    /// Fails if the condition is not a single expression, since combined with others it would mean something else.
    fn try_filter(&mut self, job: &MigrationJob) -> Result<(), Error> {
        let Some(filter) = &job.filter else { return Ok(()) };
        for trial in trials_of(filter, &format!("{} AS t", self.table.name)) {
            let trial = self.client.prepare(&trial).map_err(|error| self.error(TRY_FILTER, &error))?;
            if !trial.params().is_empty() {
                return Err(self.table.fault(TRY_FILTER, NO_VALUES));
            }
        }
        Ok(())
    }

    fn column_names(&mut self, table: u32) -> Result<Vec<String>, postgres::Error> {
        let sql = "SELECT attname::text FROM pg_attribute WHERE attrelid = $1 AND attnum > 0 AND NOT attisdropped ORDER BY attnum";
        Ok(self.client.query(sql, &[&table])?.iter().map(|row| row.get(0)).collect())
    }

    /// The unique indexes of a table, best first.
    fn unique_indexes(&mut self, table: u32) -> Result<Vec<PostgresIndex>, postgres::Error> {
        let rows = self.client.query(
            // The index may have another collation than the column. Different keys of the column may then be equal in
            // the index, or vice versa.
            "SELECT i.indexrelid, i.indisprimary, i.indnkeyatts, a.attname::text, quote_ident(a.attname),
                format_type(a.atttypid, a.atttypmod), a.attnotnull,
                CASE WHEN i.indcollation[k.n] IN (0, a.attcollation) THEN '' ELSE (SELECT format(' COLLATE %I.%I', n.nspname, c.collname)
                    FROM pg_collation c JOIN pg_namespace n ON n.oid = c.collnamespace WHERE c.oid = i.indcollation[k.n]) END,
                a.attgenerated <> '', i.indcollation[k.n] = a.attcollation, o.opcdefault, i.indoption[k.n] = i.indoption[0]
             FROM pg_index i CROSS JOIN LATERAL generate_series(0, i.indnkeyatts - 1) AS k (n)
             JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[k.n] AND a.attnum > 0
             JOIN pg_opclass o ON o.oid = i.indclass[k.n] AND (o.opcdefault OR o.opcname LIKE '%\\_pattern\\_ops')
             WHERE i.indrelid = $1 AND i.indisunique AND i.indisvalid AND i.indpred IS NULL ORDER BY i.indexrelid, k.n",
            &[&table],
        )?;
        let mut indexes: Vec<PostgresIndex> = Vec::new();
        for part in rows.chunk_by(|a, b| a.get::<_, u32>(0) == b.get::<_, u32>(0)) {
            let width: i16 = part[0].get(2);
            if usize::try_from(width) != Ok(part.len()) || !part.iter().all(|row| row.get(11)) {
                continue; // a column is an expression, or has an order of its own or another direction
            }
            let column = |row: &postgres::Row| {
                let quoted: String = row.get(4);
                let order = format!("t.{quoted}{}", row.get::<_, &str>(7));
                KeyColumn { quoted, order, is_generated: row.get(8) }
            };
            let all = |at: usize| part.iter().all(|row| row.get(at));
            indexes.push(PostgresIndex {
                is_primary: part[0].get(1),
                names: part.iter().map(|row| row.get(3)).collect(),
                columns: part.iter().map(column).collect(),
                types: part.iter().map(|row| KeyType::new(row.get(5))).collect(),
                may_be_null: !all(6),
                rank: (!all(9), !all(10)),
            });
        }
        indexes.sort_by_key(|index| index.rank);
        Ok(indexes)
    }

    /// Names the tables that there are, of those with the same name in other letters only these.
    fn other_tables(&mut self, table: &str) -> Result<String, postgres::Error> {
        let rows = self.client.query(
            "SELECT n.nspname || '.' || c.relname, lower(c.relname) = lower($1) OR lower(n.nspname || '.' || c.relname) = lower($1)
             FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
             WHERE c.relkind IN ('r', 'p') AND c.relname <> $2 AND n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%'
             ORDER BY 2 DESC, 1 LIMIT 11",
            &[&table, &JOURNAL],
        )?;
        let is_alike = rows.first().is_some_and(|row| row.get(1));
        let alike = rows.iter().filter(|row| row.get::<_, bool>(1) == is_alike);
        let names: Vec<String> = alike.map(|row| escape(row.get::<_, &str>(0).as_bytes())).collect();
        Ok(match names.len() {
            0 => "; this database has no tables".to_string(),
            _ if is_alike => {
                format!("; there is {}: names without quotes are in lower case in PostgreSQL", names.join(" and "))
            }
            11 => format!("; there are {}, and others", names[..10].join(", ")),
            _ => format!("; there are: {}", names.join(", ")),
        })
    }

    /// Tables that inherit from this one. Their rows appear in it, too, but have keys of their own.
    fn children(&mut self, table: u32) -> Result<Option<String>, postgres::Error> {
        let sql = "SELECT string_agg(i.inhrelid::regclass::text, ', ' ORDER BY i.inhrelid) FROM pg_inherits i
                   JOIN pg_class c ON c.oid = i.inhparent AND c.relkind <> 'p' WHERE i.inhparent = $1";
        let names: Option<String> = self.client.query_one(sql, &[&table])?.try_get(0)?;
        Ok(names.map(|names| {
            let names = escape(names.as_bytes());
            format!("tables that inherit from it are left unchanged; migrate each of them separately: {names}")
        }))
    }

    pub(super) fn find_column(&mut self, table: u32, name: &str) -> Result<TableColumn, Error> {
        let shown = escape(name.as_bytes());
        let database = self.table.database.clone();
        let fail = |message: String| fault(&database, &format!("use column {shown:?}"), message);
        let found = self.client.query_opt(
            "WITH RECURSIVE base AS (
                SELECT a.attname, a.attgenerated::text AS made, a.atttypid AS own, a.atttypmod AS ownmod, a.atttypid AS id, a.atttypmod AS mod
                FROM pg_attribute a WHERE a.attrelid = $1 AND a.attname = $2 AND a.attnum > 0 AND NOT a.attisdropped
                UNION ALL
                SELECT b.attname, b.made, b.own, b.ownmod, t.typbasetype, t.typtypmod
                FROM base b JOIN pg_type t ON t.oid = b.id AND t.typtype = 'd')
             SELECT quote_ident(b.attname), format_type(b.own, NULL), t.typname::text, b.mod, b.made <> ''
             FROM base b JOIN pg_type t ON t.oid = b.id AND t.typtype <> 'd'",
            &[&table, &name],
        );
        let Some(row) = found.map_err(|error| fail(message(&error)))? else {
            return Err(fail("the table has no such column".into()));
        };
        let (quoted, kind, base, modifier): (String, String, String, i32) =
            (row.get(0), row.get(1), row.get(2), row.get(3));
        if !["text", "varchar", "bpchar", "bytea", "citext"].contains(&base.as_str()) {
            return Err(fail(format!("it is of type {kind}; supported types are text, varchar, char and bytea")));
        }
        let width = usize::try_from(modifier - 4).ok().filter(|&width| width > 0 && base != "bytea");
        Ok(TableColumn { name: name.into(), quoted, bytes: base == "bytea", width, is_generated: row.get(4) })
    }
}

/// A query that returns a row if the session has deleted rows of this table or of its partitions, or if the server was
/// told not to count these.
fn deleted(table: u32) -> String {
    format!(
        "SELECT 'yes' WHERE current_setting('track_counts') <> 'on' OR EXISTS (SELECT FROM pg_stat_xact_all_tables
         WHERE n_tup_del > 0 AND (relid = {table} OR relid IN (SELECT relid FROM pg_partition_tree({table}))))"
    )
}
