//! Connections, with the encryption that is asked for.

use std::net::IpAddr;

use postgres::config::{Host, SslMode};
use postgres::{Client, Config, NoTls};

use super::messages::server_message;
use crate::migrate::tls::{Mode, Security, client_config};

/// Whether a connection stays within this machine.
pub(super) fn is_local(config: &Config) -> bool {
    let is_loopback = |name: &str| name == "localhost" || name.parse().is_ok_and(|ip: IpAddr| ip.is_loopback());
    let names = config.get_hosts().iter().all(|host| match host {
        Host::Tcp(name) => is_loopback(name),
        #[cfg(unix)]
        Host::Unix(_) => true,
    });
    names && config.get_hostaddrs().iter().all(IpAddr::is_loopback)
}

/// Connects. An error says why that failed, and what to do.
pub(super) fn open(mut config: Config, security: &Security) -> Result<Client, String> {
    let is_socket =
        !config.get_hosts().is_empty() && config.get_hosts().iter().all(|host| !matches!(host, Host::Tcp(_)));
    let mode = if is_socket { Mode::Disable } else { security.mode };
    if mode == Mode::Disable {
        config.ssl_mode(SslMode::Disable);
        return config.connect(NoTls).map_err(|error| server_message(&error));
    }
    encrypted(config, mode, security)
}

fn encrypted(mut config: Config, mode: Mode, security: &Security) -> Result<Client, String> {
    let connector = tokio_postgres_rustls::MakeRustlsConnect::new(client_config(security)?);
    config.ssl_mode(if mode == Mode::Prefer { SslMode::Prefer } else { SslMode::Require });
    let error = match config.connect(connector) {
        Ok(client) => return Ok(client),
        Err(error) => error,
    };
    if mode == Mode::Prefer && error.as_db_error().is_none() {
        config.ssl_mode(SslMode::Disable);
        return config.connect(NoTls).map_err(|error| server_message(&error));
    }
    let said = server_message(&error);
    if said.contains("does not support TLS") {
        return Err(security.unencrypted());
    }
    Err(format!("{said}{}", Security::help(&said)))
}
