//! The table, its columns and its key.

use super::Mysql;
use super::values::{KeyKind, literal, quoted};
use crate::error::{Error, escape};
use crate::migrate::dialect::{
    JOURNAL, KeyColumn, NO_KEY, NO_VALUES, RowKey, StringColumn, TRY_FILTER, TableColumn, check_roles, check_values,
    fault, is_of_columns, named_key, no_column, no_index, trials_of, unsuited,
};
use crate::migrate::{JobColumn, MigrationJob, PAGE};

/// The action, for messages.
const EXAMINE_TABLE: &str = "look at the table";

/// A table's column.
struct MysqlColumn {
    name: String,
    kind: String,
    width: Option<usize>,
    is_generated: bool,
    /// Whether the server sets it to the time of the last change.
    is_touched: bool,
    /// The character set; empty if it has no text.
    charset: String,
}

/// Character sets in which some characters change on the way to Unicode and back. If one of several columns is not
/// written, its text takes that way, since the statement that writes the others contains it as well.
const LOSSY_CHARSETS: [&str; 8] = ["big5", "cp932", "eucjpms", "euckr", "gb2312", "gbk", "sjis", "ujis"];

impl MysqlColumn {
    fn quoted(&self) -> String {
        quoted(&self.name)
    }

    /// The expression that reads it from the table `t`. (Bytes of a fixed length are padded with zeros.)
    fn read_as(&self) -> String {
        match self.kind.as_str() {
            "binary" => format!("TRIM(TRAILING x'00' FROM t.{})", self.quoted()),
            _ => format!("t.{}", self.quoted()),
        }
    }

    /// The expressions that read a string: its value, unless that is too large, and otherwise its length.
    fn read_string(&self) -> [String; 2] {
        let value = self.read_as();
        if !["mediumtext", "longtext", "mediumblob", "longblob"].contains(&self.kind.as_str()) {
            return [value, "NULL".into()]; // values of other types have at most 64 KiB
        }
        // New strings are ASCII, which is longer in these character sets.
        let length = match ["ucs2", "utf16", "utf16le", "utf32"].contains(&self.charset.as_str()) {
            true => format!("LENGTH(CONVERT({value} USING utf8mb4))"),
            false => format!("LENGTH({value})"),
        };
        [
            format!("CASE WHEN {length} <= {PAGE} THEN {value} END"),
            format!("CASE WHEN {length} > {PAGE} THEN {length} END"),
        ]
    }

    fn of_strings(&self, database: &str) -> Result<TableColumn, Error> {
        let bytes = match self.kind.as_str() {
            "char" | "varchar" | "tinytext" | "text" | "mediumtext" | "longtext" => false,
            "binary" | "varbinary" | "tinyblob" | "blob" | "mediumblob" | "longblob" => true,
            kind => {
                let action = format!("use column {:?}", escape(self.name.as_bytes()));
                let why = format!(
                    "it is of type {kind}; supported types are char, varchar, text, binary, varbinary and blob"
                );
                return Err(fault(database, &action, why));
            }
        };
        let name = self.name.clone();
        Ok(TableColumn { name, quoted: self.quoted(), bytes, width: self.width, is_generated: self.is_generated })
    }
}

/// A unique index.
struct MysqlIndex {
    name: String,
    columns: Vec<String>,
    may_be_null: bool,
}

impl Mysql {
    /// Checks the table and its columns, and finds the key.
    pub(super) fn check(&mut self, job: &MigrationJob, touch: bool) -> Result<(), Error> {
        let (schema, table) = self.find_table(job)?;
        let columns = self.columns(&schema, &table)?;
        let database = self.table.database.clone();
        let find = |name: &String| {
            let column = columns.iter().find(|column| is_name(&column.name, name));
            column.ok_or_else(|| no_column(&database, job, name, &names(&columns)))
        };
        let pair = |column: &JobColumn| Ok((find(&column.name)?, column.to.as_ref().map(find).transpose()?));
        let pairs = job.columns.iter().map(pair).collect::<Result<Vec<_>, Error>>()?;
        let index = self.unique_index(job, &schema, &table, &columns)?;
        let keys = index.columns.iter().map(find).collect::<Result<Vec<_>, _>>()?;
        let key_columns = keys.iter().map(|key| KeyColumn {
            quoted: key.quoted(),
            order: format!("t.{}", key.quoted()),
            is_generated: key.is_generated,
        });
        let key = RowKey { columns: key_columns.collect(), one_by_one: true, filter: job.filter.clone() };
        let strings = |&(column, to): &(&MysqlColumn, Option<&MysqlColumn>)| {
            let to = to.map(|to| to.of_strings(&database)).transpose()?;
            Ok(StringColumn { column: column.of_strings(&database)?, to })
        };
        let strings = pairs.iter().map(strings).collect::<Result<Vec<_>, Error>>()?;
        check_roles(&database, job, &strings, &key)?;
        let kinds = keys.iter().map(|key| {
            KeyKind::of_type(&key.kind).ok_or_else(|| {
                let name = escape(key.name.as_bytes());
                let why = format!(
                    "its key {name} is of type {}, whose values are not exactly what their text says",
                    key.kind
                );
                unsuited(&database, job, format!("{why}; name another key with --key"))
            })
        });
        self.key_kinds = kinds.collect::<Result<_, _>>()?;
        self.table.name = format!("{}.{}", quoted(&schema), quoted(&table));
        if index.may_be_null {
            let sql = format!("SELECT COUNT(*) FROM {} WHERE {}", self.table.name, key.is_null());
            let nulls = self.number(&sql, EXAMINE_TABLE)?;
            check_values(&database, job, &key, nulls)?;
        }
        self.sql.read_as = key.columns.iter().map(|column| column.order.clone()).collect();
        let both = pairs.iter().flat_map(|(column, to)| [Some(*column), *to]).flatten();
        self.sql.read_as.extend(both.flat_map(MysqlColumn::read_string));
        let written: Vec<_> = pairs.iter().map(|(column, to)| to.unwrap_or(column)).collect();
        let lost = written.iter().find(|column| written.len() > 1 && LOSSY_CHARSETS.contains(&column.charset.as_str()));
        if let Some(MysqlColumn { name, charset, .. }) = lost {
            let why = format!(
                "column {:?} has the character set {charset}, which does not survive conversion to Unicode and back; migrate it alone",
                escape(name.as_bytes())
            );
            return Err(unsuited(&database, job, why));
        }
        self.sql.written_as = written.iter().map(|column| column.read_as()).collect();
        let is_written = |one: &MysqlColumn| written.iter().any(|column| column.name == one.name);
        let kept = columns.iter().filter(|one| one.is_touched && !touch && !is_written(one));
        self.sql.kept = kept.map(|one| format!(", t.{0} = t.{0}", one.quoted())).collect();
        (self.table.columns, self.sql.index) = (strings, quoted(&index.name));
        self.table.key = key;
        self.try_filter(job)
    }

    /// Fails if the condition is not a single expression, since combined with others it would mean something else.
    fn try_filter(&mut self, job: &MigrationJob) -> Result<(), Error> {
        let Some(filter) = &job.filter else { return Ok(()) };
        for trial in trials_of(filter, &format!("{} AS t", self.table.name)) {
            if self.connection.places(&trial).map_err(|error| self.error(TRY_FILTER, &error))? > 0 {
                return Err(self.table.fault(TRY_FILTER, NO_VALUES));
            }
        }
        Ok(())
    }

    /// Names the tables that there are.
    fn tables(&mut self) -> Result<String, Error> {
        let sql = format!(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE'
             AND table_name <> '{JOURNAL}' ORDER BY table_name LIMIT 11"
        );
        let rows = self.connection.texts(&sql).map_err(|error| self.error(EXAMINE_TABLE, &error))?;
        let names: Vec<_> = rows.into_iter().flatten().flatten().map(|name| escape(name.as_bytes())).collect();
        Ok(match names.len() {
            0 => "this database has no tables".to_string(),
            11 => format!("there are {}, and others", names[..10].join(", ")),
            _ => format!("there are: {}", names.join(", ")),
        })
    }

    /// The schema and name of the table, if it is one whose rows can be written and rolled back.
    fn find_table(&mut self, job: &MigrationJob) -> Result<(String, String), Error> {
        // The name as it is, or schema and name.
        let mut found = self.table_named("DATABASE()", &job.table)?;
        if found.is_none()
            && let Some((schema, table)) = job.table.split_once('.')
        {
            found = self.table_named(&literal(schema.as_bytes()), table)?;
        }
        let Some([schema, name, kind, engine, has_transactions]) = found else {
            let there_are = self.tables()?;
            let why = format!("there is no such table; put another database before a dot: site.boards; {there_are}");
            return Err(unsuited(&self.table.database, job, why));
        };
        if kind != "BASE TABLE" && kind != "SYSTEM VERSIONED" {
            let what =
                if kind.ends_with("VIEW") { "a view".into() } else { format!("not a table ({})", kind.to_lowercase()) };
            let why = format!("it is {what}; name the table that has the column");
            return Err(unsuited(&self.table.database, job, why));
        }
        if name == JOURNAL {
            return Err(unsuited(&self.table.database, job, "it is the journal of migrations"));
        }
        if has_transactions != "YES" {
            let why = format!(
                "its engine {engine} has no transactions: an interrupted run could not tell which rows it wrote; run \
                 ALTER TABLE {} ENGINE = InnoDB first, or convert a dump of it (docs/DATABASES.md)",
                quoted(&name)
            );
            return Err(unsuited(&self.table.database, job, why));
        }
        let (schema_text, name_text) = (literal(schema.as_bytes()), literal(name.as_bytes()));
        let sql = format!(
            "SELECT COUNT(*) FROM information_schema.TRIGGERS WHERE EVENT_OBJECT_SCHEMA = {schema_text} \
             AND EVENT_OBJECT_TABLE = {name_text} AND EVENT_MANIPULATION = 'UPDATE'"
        );
        self.table.has_triggers = self.number(&sql, EXAMINE_TABLE)? > 0;
        Ok((schema, name))
    }

    /// Finds a table, however the server spells its name: schema, name, type, engine, and whether that has
    /// transactions.
    fn table_named(&mut self, schema: &str, table: &str) -> Result<Option<[String; 5]>, Error> {
        let sql = format!(
            "SELECT t.TABLE_SCHEMA, t.TABLE_NAME, t.TABLE_TYPE, coalesce(t.ENGINE, ''), coalesce(e.TRANSACTIONS, ''), \
             @@lower_case_table_names FROM information_schema.TABLES AS t \
             LEFT JOIN information_schema.ENGINES AS e ON e.ENGINE = t.ENGINE \
             WHERE t.TABLE_SCHEMA = {schema} AND t.TABLE_NAME = {}",
            literal(table.as_bytes())
        );
        let rows = self.texts(&sql, EXAMINE_TABLE)?;
        let is_it = |row: &&Vec<Option<String>>| {
            let name = row[1].as_deref();
            name == Some(table) || row[5].as_deref() != Some("0") && name.is_some()
        };
        let found = rows.iter().find(is_it);
        Ok(found.map(|row| std::array::from_fn(|at| row[at].clone().unwrap_or_default())))
    }

    fn columns(&mut self, schema: &str, table: &str) -> Result<Vec<MysqlColumn>, Error> {
        let sql = format!(
            "SELECT COLUMN_NAME, LOWER(DATA_TYPE), CHARACTER_MAXIMUM_LENGTH, coalesce(GENERATION_EXPRESSION, '') <> '', \
             LOWER(EXTRA) LIKE '%on update%', coalesce(CHARACTER_SET_NAME, '') FROM information_schema.COLUMNS \
             WHERE TABLE_SCHEMA = {} AND TABLE_NAME = {} ORDER BY ORDINAL_POSITION",
            literal(schema.as_bytes()),
            literal(table.as_bytes())
        );
        let column = |row: Vec<Option<String>>| {
            let mut values = row.into_iter();
            let mut next = || values.next().flatten();
            let (name, kind) = (next().unwrap_or_default(), next().unwrap_or_default());
            let width = next().and_then(|width| width.parse().ok());
            let mut is = || next().as_deref() == Some("1");
            let (is_generated, is_touched) = (is(), is());
            MysqlColumn { name, kind, width, is_generated, is_touched, charset: next().unwrap_or_default() }
        };
        Ok(self.texts(&sql, EXAMINE_TABLE)?.into_iter().map(column).collect())
    }

    /// The primary key, or a unique index of the named columns. Indexes of prefixes or expressions do not count, nor do
    /// those with columns in different directions.
    fn unique_index(
        &mut self,
        job: &MigrationJob,
        schema: &str,
        table: &str,
        columns: &[MysqlColumn],
    ) -> Result<MysqlIndex, Error> {
        let sql = format!(
            "SELECT INDEX_NAME, COLUMN_NAME, NULLABLE, SUB_PART IS NULL AND INDEX_TYPE = 'BTREE', COLLATION \
             FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = {} AND TABLE_NAME = {} AND NON_UNIQUE = 0 \
             ORDER BY INDEX_NAME <> 'PRIMARY', INDEX_NAME, SEQ_IN_INDEX",
            literal(schema.as_bytes()),
            literal(table.as_bytes())
        );
        let rows = self.texts(&sql, EXAMINE_TABLE)?;
        let indexes = rows.chunk_by(|a, b| a[0] == b[0]).filter_map(|part| {
            let is_whole = part.iter().all(|row| row[3].as_deref() == Some("1") && row[4] == part[0][4]);
            let columns = part.iter().map(|row| row[1].clone()).collect::<Option<Vec<_>>>().filter(|_| is_whole)?;
            let may_be_null = part.iter().any(|row| row[2].as_deref() == Some("YES"));
            Some(MysqlIndex { name: part[0][0].clone()?, columns, may_be_null })
        });
        let named = job
            .key
            .as_ref()
            .map(|key| named_key(&self.table.database, job, key, &names(columns), is_name))
            .transpose()?;
        let found = indexes.into_iter().find(|index| match &named {
            None => index.name == "PRIMARY",
            Some(key) => is_of_columns(&index.columns, key),
        });
        found.ok_or_else(|| match &named {
            None => unsuited(&self.table.database, job, NO_KEY),
            Some(key) => no_index(&self.table.database, job, key),
        })
    }
}

fn names(columns: &[MysqlColumn]) -> Vec<String> {
    columns.iter().map(|column| column.name.clone()).collect()
}

/// Whether a column has this name. The server ignores case.
fn is_name(column: &str, name: &str) -> bool {
    column.to_lowercase() == name.to_lowercase()
}
