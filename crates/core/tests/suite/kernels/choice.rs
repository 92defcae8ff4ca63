//! Choosing a kernel.

use gridmill_core::error::Unavailable;
use gridmill_core::kernels;

#[test]
fn kernels_are_taken_by_name_and_other_names_are_errors() {
    let available = kernels::available();
    assert_eq!(available.last().map(|kernel| kernel.name), Some("scalar"));
    for kernel in &available {
        assert_eq!(kernels::by_name(kernel.name).map(|found| found.name).ok(), Some(kernel.name));
        assert!(kernels::compiled().contains(&kernel.name));
    }
    for name in ["", "AVX2", "avx1024", "scalar ", "\u{1b}[31m"] {
        let Err(Unavailable(message)) = kernels::by_name(name) else { panic!("{name} is no kernel") };
        assert!(message.contains("there is no such kernel") && message.contains("scalar"), "{message}");
        assert!(!message.contains('\u{1b}'), "{message}");
    }
    for name in kernels::compiled().iter().filter(|&name| available.iter().all(|kernel| kernel.name != *name)) {
        let Err(Unavailable(message)) = kernels::by_name(name) else { panic!("{name} cannot run here") };
        assert!(message.contains("this processor cannot run it"), "{message}");
    }
}

/// Tests of kernels that the machine lacks pass silently. Therefore a machine with the instructions must offer them.
#[test]
fn what_the_processor_has_is_available() {
    let names: Vec<_> = kernels::available().iter().map(|kernel| kernel.name).collect();
    #[cfg(target_arch = "x86_64")]
    for (found, name) in
        [(is_x86_feature_detected!("avx2"), "avx2"), (is_x86_feature_detected!("avx512vbmi2"), "avx512")]
    {
        assert!(!found || names.contains(&name), "{name}: {names:?}");
    }
    assert!(!cfg!(target_arch = "aarch64") || names.contains(&"neon"), "{names:?}");
}
