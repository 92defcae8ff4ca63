//! Configures rustls: which certificates of servers are accepted.

use std::sync::Arc;

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};

use super::certificates::root_certificates;
use super::{Mode, Security};

/// The configuration of an encrypted connection.
///
/// # Errors
/// There are no trusted authorities.
pub(in crate::migrate) fn client_config(security: &Security) -> Result<ClientConfig, String> {
    let provider = Arc::new(ring::default_provider());
    let words = |error: &dyn std::error::Error| error.to_string();
    let believed: Arc<dyn ServerCertVerifier> = match security.mode {
        Mode::Disable | Mode::Prefer | Mode::Require => {
            Arc::new(AnyNameVerifier { by: None, provider: Arc::clone(&provider) })
        }
        Mode::VerifyCa | Mode::VerifyFull => {
            let mut roots = RootCertStore::empty();
            roots.add_parsable_certificates(root_certificates(&security.roots)?);
            let by = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::clone(&provider)).build();
            let by = by.map_err(|error| words(&error))?;
            match security.mode {
                Mode::VerifyFull => by,
                _ => Arc::new(AnyNameVerifier { by: Some(by), provider: Arc::clone(&provider) }),
            }
        }
    };
    let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let builder = builder.map_err(|error| words(&error))?;
    Ok(builder.dangerous().with_custom_certificate_verifier(believed).with_no_client_auth())
}

/// Accepts a certificate for any name if a trusted authority issued it, or any certificate if no authority is required.
#[derive(Debug)]
struct AnyNameVerifier {
    by: Option<Arc<WebPkiServerVerifier>>,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for AnyNameVerifier {
    fn verify_server_cert(
        &self,
        end: &CertificateDer<'_>,
        between: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        revoked: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let Some(by) = &self.by else { return Ok(ServerCertVerified::assertion()) };
        // The name is the last thing to be checked.
        match by.verify_server_cert(end, between, name, revoked, now) {
            Err(Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) => Ok(ServerCertVerified::assertion()),
            said => said,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        rustls::crypto::verify_tls12_signature(message, certificate, signed, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        rustls::crypto::verify_tls13_signature(message, certificate, signed, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}
