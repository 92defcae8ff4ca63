//! The trusted authorities.

use rustls::RootCertStore;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;

use super::Roots;
use crate::error::shown_path;

/// The certificates of the trusted authorities.
///
/// # Errors
/// There are none, or none can be read.
pub(in crate::migrate) fn root_certificates(roots: &Roots) -> Result<Vec<CertificateDer<'static>>, String> {
    let (all, place) = match roots {
        Roots::System => (rustls_native_certs::load_native_certs().certs, "the system".to_string()),
        Roots::File(path) => {
            let place = shown_path(path);
            let read = CertificateDer::pem_file_iter(path).and_then(Iterator::collect);
            (read.map_err(|error| format!("sslrootcert {place}: {error}"))?, place)
        }
    };
    // A system may have some that cannot be used.
    let is_usable = |root: &CertificateDer<'static>| RootCertStore::empty().add(root.clone()).is_ok();
    let usable: Vec<_> = all.into_iter().filter(is_usable).collect();
    match usable.is_empty() {
        true => Err(format!("{place} has no authority certificates; name a file that does with sslrootcert")),
        false => Ok(usable),
    }
}
