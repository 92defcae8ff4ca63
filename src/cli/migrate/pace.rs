//! Flags for the speed of a migration.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::cli::signals;
use crate::migrate::Pace;

#[derive(Debug, Args)]
#[command(next_help_heading = "Pace")]
pub(in crate::cli) struct PaceFlags {
    /// Target duration of a transaction: a batch has as many rows as fit, and fewer while locks are waited for. 0 means always as
    /// many rows as --batch.
    #[arg(long, default_value_t = 0.5, value_name = "SECONDS", value_parser = seconds)]
    batch_time: f64,

    /// How long to wait for other writers in total before giving up.
    #[arg(long, default_value_t = 30, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(0..=86_400))]
    wait: u32,

    /// Write at most this many rows a second.
    #[arg(long, value_name = "ROWS", value_parser = clap::value_parser!(u32).range(1..))]
    rate: Option<u32>,

    /// Begin no batch while this file exists.
    #[arg(long, value_name = "NAME")]
    pause_file: Option<PathBuf>,

    /// Begin no batch while the replica is further behind than this.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    max_lag: Option<f64>,

    /// The replica to ask how far it is behind.
    #[arg(long, value_name = "URL", requires = "max_lag")]
    replica: Option<String>,

    /// A query that returns how many seconds the replica is behind, or NULL if unknown; it runs on the replica if one is named.
    #[arg(long, value_name = "SQL", requires = "max_lag")]
    lag_query: Option<String>,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.0..=86_400.0).contains(&seconds) => Ok(seconds),
        _ => Err("expected a number of seconds up to 86400, such as 0.5".into()),
    }
}

impl PaceFlags {
    /// Returns how long to wait for other writers.
    pub(super) fn wait(&self) -> Duration {
        Duration::from_secs(self.wait.into())
    }

    /// Returns the address of the replica.
    #[cfg(feature = "databases")]
    pub(super) fn replica(&self) -> Option<&str> {
        self.replica.as_deref()
    }

    /// Fails if a flag asks for something that is not available.
    pub(super) fn check(&self, has_replicas: bool) -> anyhow::Result<()> {
        if self.replica.is_some() && !has_replicas {
            anyhow::bail!("SQLite has no replicas to ask; leave out --replica");
        }
        if self.max_lag.is_some() && self.replica.is_none() && self.lag_query.is_none() {
            anyhow::bail!("--max-lag needs --replica URL or --lag-query SQL");
        }
        Ok(())
    }

    /// Returns the pace of the migration. `say` is called with what it waits for.
    pub(super) fn pace<'d>(&self, say: &'d dyn Fn(&str)) -> Pace<'d> {
        Pace {
            batch_time: Some(self.batch_time).filter(|time| *time > 0.0).map(Duration::from_secs_f64),
            rate: self.rate,
            pause_file: self.pause_file.clone(),
            max_lag: self.max_lag,
            lag_query: self.lag_query.clone(),
            wait: self.wait(),
            stop: signals::stop_requested(),
            say,
        }
    }
}
