//! Builds flags only for the command that was typed.

use clap::builder::Resettable;
use clap::error::Error;
use clap::{ArgMatches, Args, Command, FromArgMatches};

use super::help::with_short_help;

/// The flags `T` of a command. Building the flags of every command takes longer than all other work of the program on
/// one line.
#[derive(Debug)]
pub(super) struct Deferred<T>(pub(super) Box<T>);

impl<T: Args> Args for Deferred<T> {
    fn augment_args(command: Command) -> Command {
        command.defer(build_flags::<T>)
    }

    fn augment_args_for_update(command: Command) -> Command {
        command.defer(build_flags::<T>)
    }
}

impl<T: FromArgMatches> FromArgMatches for Deferred<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        T::from_arg_matches(matches).map(|flags| Self(Box::new(flags)))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.0.update_from_arg_matches(matches)
    }
}

/// Builds the flags of a command. Its description comes from the command, not from the type of the flags.
pub(super) fn build_flags<T: Args>(command: Command) -> Command {
    let [about, long_about] = [command.get_about(), command.get_long_about()]
        .map(|words| words.cloned().map_or(Resettable::Reset, Resettable::Value));
    with_short_help(T::augment_args(command).about(about).long_about(long_about))
}
