//! Encryption of connections and trust in certificates, with libpq's parameters `sslmode` and `sslrootcert` of a URL.
//! The requested security is never lowered: a server without it is an error.

mod certificates;
mod config;

use std::path::PathBuf;

pub(super) use certificates::root_certificates;
pub(super) use config::client_config;

use crate::error::Error;

/// The required security.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Mode {
    /// No encryption.
    Disable,
    /// Encryption if the server supports it, without checking its certificate.
    Prefer,
    /// Encryption, without checking the certificate.
    Require,
    /// Encryption with a certificate of a trusted authority.
    VerifyCa,
    /// The same, and the certificate must be for the name of the host.
    VerifyFull,
}

/// The trusted authorities.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Roots {
    /// Those of the system.
    System,
    /// Only those in a PEM file.
    File(PathBuf),
}

/// The security of a connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Security {
    pub(super) mode: Mode,
    pub(super) roots: Roots,
}

/// The parameters of a URL that are about security.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct UrlSecurity {
    mode: Option<Mode>,
    roots: Option<Roots>,
}

impl Mode {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "disable" => Self::Disable,
            "prefer" => Self::Prefer,
            "require" => Self::Require,
            "verify-ca" => Self::VerifyCa,
            "verify-full" => Self::VerifyFull,
            _ => return None,
        })
    }

    fn name(self) -> &'static str {
        match self {
            Self::Disable => "disable",
            Self::Prefer => "prefer",
            Self::Require => "require",
            Self::VerifyCa => "verify-ca",
            Self::VerifyFull => "verify-full",
        }
    }
}

impl UrlSecurity {
    /// Removes the parameters about security from a URL, and returns the rest of it.
    ///
    /// # Errors
    /// A value that `sslmode` does not have.
    pub(super) fn of_address(address: &str) -> Result<(String, Self), Error> {
        let mut asked = Self::default();
        let Some((place, parameters)) = address.split_once('?').filter(|_| address.contains("://")) else {
            return Ok((asked.of_words(address)?, asked));
        };
        let mut rest = Vec::new();
        for parameter in parameters.split('&') {
            match parameter.split_once('=') {
                Some((name, value)) if is_ours(name) => asked.take(name, &unescaped(value))?,
                _ => rest.push(parameter),
            }
        }
        let sign = if rest.is_empty() { "" } else { "?" };
        Ok((format!("{place}{sign}{}", rest.join("&")), asked))
    }

    /// Like [`UrlSecurity::of_address`], for `name=value` pairs separated by spaces.
    fn of_words(&mut self, address: &str) -> Result<String, Error> {
        let (mut kept, mut rest) = (String::new(), address);
        while !address.contains("://") {
            let name_at = rest.len() - rest.trim_start().len();
            let Some((name, value)) = rest[name_at..].split_once('=') else { break };
            let (value, after) = word(value.trim_start());
            if is_ours(name.trim_end()) {
                self.take(name.trim_end(), &value)?;
            } else {
                kept.push_str(&rest[..rest.len() - after.len()]);
            }
            rest = after;
        }
        Ok(kept + rest)
    }

    fn take(&mut self, name: &str, value: &str) -> Result<(), Error> {
        match (name, value) {
            ("sslrootcert", "system") => self.roots = Some(Roots::System),
            ("sslrootcert", file) => self.roots = Some(Roots::File(file.into())),
            (_, mode) => {
                // The value is not shown: in a malformed address it may be a part of a password.
                let known = "sslmode must be disable, prefer, require, verify-ca or verify-full";
                self.mode = Some(Mode::named(mode).ok_or_else(|| Error::Usage(known.into()))?);
            }
        }
        Ok(())
    }

    /// The security of a connection to a host, which may be this machine itself.
    ///
    /// # Errors
    /// The parameters would mean less than they seem to.
    pub(super) fn of_host(self, is_local: bool) -> Result<Security, Error> {
        let mode = self.mode.unwrap_or(match &self.roots {
            None if is_local => Mode::Prefer,
            _ => Mode::VerifyFull,
        });
        // Anybody can get a certificate of a public authority, for a name of their own.
        match (mode, self.roots) {
            (mode, Some(Roots::System)) if mode < Mode::VerifyFull => Err(Error::Usage(format!(
                "sslrootcert=system proves little with sslmode={}; use sslmode=verify-full",
                mode.name()
            ))),
            (Mode::VerifyCa, None) => Err(Error::Usage(
                "sslmode=verify-ca needs sslrootcert=FILE with the certificate of the authority".into(),
            )),
            (Mode::Require, Some(roots)) => Ok(Security { mode: Mode::VerifyCa, roots }), // as libpq does
            (mode, roots) => Ok(Security { mode, roots: roots.unwrap_or(Roots::System) }),
        }
    }
}

impl Security {
    /// The message if the server does not support encryption.
    pub(super) fn unencrypted(&self) -> String {
        format!(
            "the server has no TLS, but {} needs it; turn it on there, use a tunnel, or set sslmode=disable if nobody \
             can listen in between",
            self.words()
        )
    }

    fn words(&self) -> String {
        let default = if self.mode == Mode::VerifyFull { " (the default for other machines)" } else { "" };
        format!("sslmode={}{default}", self.mode.name())
    }

    /// What to do about an error of the encryption.
    pub(super) fn help(said: &str) -> &'static str {
        let said = said.to_ascii_lowercase();
        if said.contains("not valid for name") {
            "; connect with a host name that is in its certificate"
        } else if said.contains("unknownissuer") {
            "; name the certificate of its authority with sslrootcert=FILE"
        } else if said.contains("certificate") {
            "; check its certificate and sslrootcert"
        } else {
            ""
        }
    }
}

fn is_ours(name: &str) -> bool {
    name == "sslmode" || name == "sslrootcert"
}

/// The value at the start of a text, and the rest. A quoted value may contain spaces; a backslash escapes the next
/// character.
fn word(text: &str) -> (String, &str) {
    let (mut value, mut chars) = (String::new(), text.char_indices());
    let is_quoted = text.starts_with('\'');
    if is_quoted {
        chars.next();
    }
    while let Some((at, char)) = chars.next() {
        match char {
            '\'' if is_quoted => return (value, &text[at + 1..]),
            char if !is_quoted && char.is_whitespace() => return (value, &text[at..]),
            '\\' => value.extend(chars.next().map(|(_, char)| char)),
            char => value.push(char),
        }
    }
    (value, "")
}

/// Decodes the percent codes of a URL.
fn unescaped(value: &str) -> String {
    let (mut bytes, mut rest) = (Vec::new(), value.as_bytes());
    while let Some((&byte, after)) = rest.split_first() {
        let code = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        match code.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(code) if byte == b'%' => {
                bytes.push(code);
                rest = &after[2..];
            }
            _ => {
                bytes.push(byte);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(address: &str, is_local: bool) -> Result<(String, Security), String> {
        let (rest, asked) = UrlSecurity::of_address(address).map_err(|error| error.to_string())?;
        Ok((rest, asked.of_host(is_local).map_err(|error| error.to_string())?))
    }

    #[test]
    fn addresses() {
        let file = || Roots::File("/a b/ca.pem".into());
        for (address, rest, mode, roots) in [
            ("mysql://u:p@h/d", "mysql://u:p@h/d", Mode::VerifyFull, Roots::System),
            ("mysql://h/d?sslmode=disable", "mysql://h/d", Mode::Disable, Roots::System),
            ("mysql://h/d?a=1&sslmode=prefer&b=2", "mysql://h/d?a=1&b=2", Mode::Prefer, Roots::System),
            ("postgres://h/d?sslrootcert=%2Fa%20b/ca.pem", "postgres://h/d", Mode::VerifyFull, file()),
            ("postgres://h?sslmode=require&sslrootcert=/a b/ca.pem", "postgres://h", Mode::VerifyCa, file()),
            ("host=h user=me", "host=h user=me", Mode::VerifyFull, Roots::System),
            ("host=h sslmode = 'require' user='a b'", "host=h user='a b'", Mode::Require, Roots::System),
            (
                "sslmode=verify-ca sslrootcert='/a b/ca.pem' password='x sslmode=disable'",
                " password='x sslmode=disable'",
                Mode::VerifyCa,
                file(),
            ),
        ] {
            assert_eq!(of(address, false), Ok((rest.into(), Security { mode, roots })), "{address}");
        }
        assert_eq!(of("mysql://h/d", true).map(|(_, security)| security.mode), Ok(Mode::Prefer));
        for (address, why) in [
            ("mysql://h/d?sslmode=verify", "sslmode must be disable"),
            ("mysql://h/d?sslmode=", "sslmode must be disable"),
            ("host=h sslmode=REQUIRE", "sslmode must be disable"),
            ("mysql://h/d?sslmode=verify-ca", "needs sslrootcert"),
            ("mysql://h/d?sslmode=verify-ca&sslrootcert=system", "verify-full"),
            ("mysql://h/d?sslmode=prefer&sslrootcert=system", "verify-full"),
        ] {
            assert!(of(address, true).is_err_and(|said| said.contains(why)), "{address}");
        }
    }
}
