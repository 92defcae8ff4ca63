//! The table and its columns, and what names its rows.

use super::{Postgres, words};
use crate::error::{Error, escape};
use crate::migrate::Job;
use crate::migrate::dialect::{
    JOURNAL, KeyColumn, NO_KEY, RowKey, TableColumn, check_roles, check_values, fault, unsuited,
};

impl Postgres {
    /// Checks that table and columns are there, and finds what names the rows.
    pub(super) fn check(&mut self, job: &Job) -> Result<(), Error> {
        let database = self.name.clone();
        let fail = |message: String| unsuited(&database, job, message);
        // The name as it is, or a schema and a name.
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
        let Some(row) = found.map_err(|error| fail(words(&error)))? else {
            return Err(fail("there is none; a schema stands before a point: app.boards".into()));
        };
        let (oid, name, kind): (u32, String, String) = (row.get(0), row.get(1), row.get(2));
        if !["r", "p"].contains(&kind.as_str()) {
            return Err(fail("it is no table; name the table that has the column".into()));
        }
        if row.get(3) {
            return Err(fail("it is where migrations write down what they did".into()));
        }
        self.has_triggers = row.get(4);
        // A key is unique in the table itself, and a child's rows may have the same ones. Those of partitions are the table's own.
        self.table = if kind == "p" { name } else { format!("ONLY {name}") };
        let children = self.children(oid).map_err(|error| fail(words(&error)))?;
        self.notes.extend(children);
        self.column = self.find_column(oid, &job.column)?;
        self.to = job.to.as_deref().map(|to| self.find_column(oid, to)).transpose()?;
        let keys = self.keys(oid, job).map_err(|error| fail(words(&error)))?;
        let Some(key) = keys.first() else {
            return Err(fail(match &job.key {
                None => NO_KEY.into(),
                Some(key) => format!("column {:?} is not there, or has no unique index", escape(key.as_bytes())),
            }));
        };
        let quoted: String = key.get(0);
        let order = format!("t.{quoted}{}", key.get::<_, &str>(3));
        let column = KeyColumn { quoted, order, is_made: key.get(4) };
        check_roles(&self.name, job, &self.column, self.to.as_ref(), &column)?;
        if !key.get::<_, bool>(2) {
            let sql = format!("SELECT count(*) FROM {} WHERE {} IS NULL", self.table, column.quoted);
            let nulls: i64 = self.client.query_one(&sql, &[]).map_err(|error| fail(words(&error)))?.get(0);
            check_values(&self.name, job, &column, nulls.unsigned_abs())?;
        }
        (self.key, self.key_type) = (RowKey { column }, key.get(1));
        Ok(())
    }

    /// What could name the rows of a table, best first: the name, the type, whether it is never NULL, the collation of the
    /// index where that is another, and whether the database makes it from others.
    fn keys(&mut self, table: u32, job: &Job) -> Result<Vec<postgres::Row>, postgres::Error> {
        self.client.query(
            // The index may have another collation than the column, in which keys are equal that are not equal in the other.
            "SELECT quote_ident(a.attname), format_type(a.atttypid, a.atttypmod), a.attnotnull,
                CASE WHEN i.indcollation[0] IN (0, a.attcollation) THEN '' ELSE (SELECT format(' COLLATE %I.%I', n.nspname, c.collname)
                    FROM pg_collation c JOIN pg_namespace n ON n.oid = c.collnamespace WHERE c.oid = i.indcollation[0]) END,
                a.attgenerated <> ''
             FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
             JOIN pg_opclass o ON o.oid = i.indclass[0] AND (o.opcdefault OR o.opcname LIKE '%\\_pattern\\_ops')
             WHERE i.indrelid = $1 AND i.indisunique AND i.indisvalid AND i.indnkeyatts = 1 AND i.indpred IS NULL AND i.indkey[0] > 0
             AND ($2::text IS NULL AND i.indisprimary OR a.attname = $2)
             ORDER BY i.indcollation[0] = a.attcollation DESC, o.opcdefault DESC",
            &[&table, &job.key],
        )
    }

    /// Tables that inherit from it, if there are some: their rows are seen through it, too, but have keys of their own.
    fn children(&mut self, table: u32) -> Result<Option<String>, postgres::Error> {
        let sql = "SELECT string_agg(i.inhrelid::regclass::text, ', ' ORDER BY i.inhrelid) FROM pg_inherits i
                   JOIN pg_class c ON c.oid = i.inhparent AND c.relkind <> 'p' WHERE i.inhparent = $1";
        let names: Option<String> = self.client.query_one(sql, &[&table])?.try_get(0)?;
        Ok(names.map(|names| {
            let names = escape(names.as_bytes());
            format!("rows of tables that inherit from it are left as they are; migrate each by its own name: {names}")
        }))
    }

    pub(super) fn find_column(&mut self, table: u32, name: &str) -> Result<TableColumn, Error> {
        let shown = escape(name.as_bytes());
        let database = self.name.clone();
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
        let Some(row) = found.map_err(|error| fail(words(&error)))? else {
            return Err(fail("the table has none of this name".into()));
        };
        let (name, kind, base, modifier): (String, String, String, i32) =
            (row.get(0), row.get(1), row.get(2), row.get(3));
        if !["text", "varchar", "bpchar", "bytea", "citext"].contains(&base.as_str()) {
            return Err(fail(format!("it is of type {kind}; strings are in text, varchar, char or bytea")));
        }
        let width = usize::try_from(modifier - 4).ok().filter(|&width| width > 0 && base != "bytea");
        Ok(TableColumn { quoted: name, bytes: base == "bytea", width, is_made: row.get(4) })
    }
}
