//! `--column`, which may be repeated, and the `--to-column` for each.

use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};

use crate::migrate::JobColumn;

/// The names of flags.
const COLUMN: &str = "column";
const TO_COLUMN: &str = "to_column";

/// The values of these flags.
#[derive(Debug)]
pub(in crate::cli) struct ColumnFlags(pub(super) Vec<JobColumn>);

impl Args for ColumnFlags {
    fn augment_args(command: Command) -> Command {
        let flag = |name: &'static str, long| Arg::new(name).long(long).value_name("COLUMN").action(ArgAction::Append);
        let column = "The column with the strings. Repeat it to migrate several columns in one pass";
        let to = "Write the new strings of the preceding --column to this column, which must exist, instead of replacing the old ones";
        command.arg(flag(COLUMN, "column").required(true).help(column)).arg(flag(TO_COLUMN, "to-column").help(to))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for ColumnFlags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut columns: Vec<_> = placed(matches, COLUMN).map(|(at, name)| (at, JobColumn::in_place(name))).collect();
        for (at, to) in placed(matches, TO_COLUMN) {
            // If there is only one column, its --to-column may also come first.
            let is_only = columns.len() == 1;
            let Some((_, column)) = columns.iter_mut().rfind(|(column, _)| is_only || *column < at) else {
                let why = format!(
                    "--to-column {to} comes before every --column; put it after the --column that it belongs to\n"
                );
                return Err(Error::raw(ErrorKind::ArgumentConflict, why));
            };
            if let Some(first) = column.to.replace(to.clone()) {
                let why = format!("--to-column {first} and --to-column {to} both belong to --column {}\n", column.name);
                return Err(Error::raw(ErrorKind::ArgumentConflict, why));
            }
        }
        Ok(Self(columns.into_iter().map(|(_, column)| column).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Returns the values of a flag with their positions.
fn placed<'m>(matches: &'m ArgMatches, name: &str) -> impl Iterator<Item = (usize, &'m String)> {
    let places = matches.indices_of(name).into_iter().flatten();
    places.zip(matches.get_many(name).into_iter().flatten())
}
