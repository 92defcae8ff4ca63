//! A connection that runs one statement after another. (The same authors' synchronous crate trusts all public
//! authorities in addition to the one that the user names.)

use std::fmt;
use std::ops::ControlFlow;

use mysql_async::prelude::Queryable;
use mysql_async::{Conn, Error, IoError, Opts, OptsBuilder, Params, SslOpts, Value};
use rustls::CertificateError;
use tokio::runtime::Runtime;

use super::values::{is_of_tls, is_unencrypted};
use crate::migrate::tls::{Mode, Security, root_certificates};

/// A connection to a server.
pub(super) struct Connection {
    runtime: Runtime,
    /// `None` after it was closed.
    conn: Option<Conn>,
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection").finish_non_exhaustive()
    }
}

impl Connection {
    /// Connects, with the encryption that is asked for.
    pub(super) fn open(options: &OptsBuilder, security: &Security) -> Result<Self, Error> {
        let other = |error: std::io::Error| Error::Io(error.into());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(other)?;
        let encryption = encryption(security).map_err(|why| Error::Other(why.into()))?;
        let connect = |encryption: Option<SslOpts>| {
            let options: Opts = options.clone().ssl_opts(encryption).into();
            runtime.block_on(Conn::new(options))
        };
        let conn = match connect(encryption.clone()) {
            Err(error) if security.mode == Mode::VerifyCa => match (encryption, names_of_certificate(&error)) {
                // A trusted authority issued the certificate for another name, which does not matter here. (The crate's
                // own option for that does not recognise all variants of this error.)
                (Some(encryption), Some(name)) => {
                    connect(Some(encryption.with_danger_tls_hostname_override(Some(name))))?
                }
                _ => return Err(error),
            },
            Err(error) if security.mode == Mode::Prefer && (is_unencrypted(&error) || is_of_tls(&error)) => {
                connect(None)?
            }
            conn => conn?,
        };
        Ok(Self { runtime, conn: Some(conn) })
    }

    fn parts(&mut self) -> Result<(&Runtime, &mut Conn), Error> {
        let conn = self.conn.as_mut().ok_or(mysql_async::DriverError::ConnectionClosed)?;
        Ok((&self.runtime, conn))
    }

    /// Runs a statement. Returns how many rows were changed.
    pub(super) fn run(&mut self, sql: &str) -> Result<u64, Error> {
        let (runtime, conn) = self.parts()?;
        runtime.block_on(conn.query_drop(sql))?;
        Ok(conn.affected_rows())
    }

    /// Runs a statement with parameters.
    pub(super) fn run_with(&mut self, sql: &str, values: Vec<Value>) -> Result<(), Error> {
        let (runtime, conn) = self.parts()?;
        runtime.block_on(conn.exec_drop(sql, Params::Positional(values)))
    }

    /// Prepares a statement, which proves that it is a single one, and discards it. Returns the number of its
    /// parameters.
    pub(super) fn places(&mut self, sql: &str) -> Result<u16, Error> {
        let (runtime, conn) = self.parts()?;
        runtime.block_on(async {
            let statement = conn.prep(sql).await?;
            let places = statement.num_params();
            conn.close(statement).await?;
            Ok(places)
        })
    }

    /// Calls `each` for the rows of a query until it says to stop. Values are given as text.
    pub(super) fn each(&mut self, sql: &str, mut each: impl FnMut(Vec<Value>) -> ControlFlow<()>) -> Result<(), Error> {
        let (runtime, conn) = self.parts()?;
        runtime.block_on(async {
            let mut result = conn.query_iter(sql).await?;
            while let Some(row) = result.next().await? {
                if each(row.unwrap()).is_break() {
                    break;
                }
            }
            result.drop_result().await
        })
    }

    /// A column of a query, as text: the first with one of these names, or else the first. NULL is `None`.
    pub(super) fn column(&mut self, sql: &str, names: &[&str]) -> Result<Vec<Option<String>>, Error> {
        let (runtime, conn) = self.parts()?;
        let rows: Vec<mysql_async::Row> = runtime.block_on(conn.query(sql))?;
        let value = |row: mysql_async::Row| {
            let is_named = |column: &mysql_async::Column| names.iter().any(|name| column.name_str() == *name);
            let place = row.columns_ref().iter().position(is_named).unwrap_or(0);
            row.unwrap().into_iter().nth(place).and_then(text)
        };
        Ok(rows.into_iter().map(value).collect())
    }

    /// All rows of a query, as text. NULL is `None`.
    pub(super) fn texts(&mut self, sql: &str) -> Result<Vec<Vec<Option<String>>>, Error> {
        let mut rows = Vec::new();
        self.each(sql, |row| {
            rows.push(row.into_iter().map(text).collect());
            ControlFlow::Continue(())
        })?;
        Ok(rows)
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        if let Some(conn) = self.conn.take() {
            // If this fails, the server notices by itself.
            let _ = self.runtime.block_on(conn.disconnect());
        }
    }
}

/// The name in a certificate, if it is not that of the host and nothing else is wrong.
fn names_of_certificate(error: &Error) -> Option<String> {
    let Error::Io(IoError::Io(error)) = error else { return None };
    match error.get_ref()?.downcast_ref()? {
        rustls::Error::InvalidCertificate(CertificateError::NotValidForNameContext { presented, .. }) => {
            // `DnsName("site")`, `IpAddress(127.0.0.1)`
            let names = presented.iter().filter_map(|name| name.split(['"', '(', ')']).rfind(|part| !part.is_empty()));
            names.map(|name| name.replace('*', "any")).next()
        }
        _ => None,
    }
}

fn text(value: Value) -> Option<String> {
    match value {
        Value::NULL => None,
        Value::Bytes(bytes) => Some(String::from_utf8_lossy(&bytes).into_owned()),
        other => Some(other.as_sql(true)),
    }
}

/// The settings for encryption.
fn encryption(security: &Security) -> Result<Option<SslOpts>, String> {
    // A process has one provider, and the crate takes the first that was set.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let options = SslOpts::default();
    Ok(match security.mode {
        Mode::Disable => None,
        Mode::Prefer | Mode::Require => {
            Some(options.with_danger_accept_invalid_certs(true).with_danger_skip_domain_validation(true))
        }
        Mode::VerifyCa | Mode::VerifyFull => {
            let roots = root_certificates(&security.roots)?;
            let roots = roots.into_iter().map(|root| root.to_vec().into());
            let options = options.with_root_certs(roots.collect()).with_disable_built_in_roots(true);
            Some(options.with_danger_skip_domain_validation(security.mode == Mode::VerifyCa))
        }
    })
}
