//! The square root of an `f32` without std, in one instruction where there is one.
//!
//! Square roots of `core` are unstable, and libm computes the root in software on a Cortex-M with a floating-point unit.

/// Returns the square root to the nearest `f32`, ties to even; NaN for a number below 0.
///
/// IEEE 754 defines every bit of the result, except those of NaN, so it does not depend on the target.
///
/// # Examples
/// ```
/// use lodger_cpu::sqrt_f32;
///
/// assert_eq!(sqrt_f32(2.0), core::f32::consts::SQRT_2);
/// assert!(sqrt_f32(-1.0).is_nan());
/// ```
#[inline]
#[must_use]
pub fn sqrt_f32(value: f32) -> f32 {
    root(value)
}

#[cfg(not(all(target_arch = "arm", target_abi = "eabihf", target_os = "none")))]
use libm::sqrtf as root;

/// The value passes through a general register: before Rust 1.100 inline assembly cannot name the registers of the
/// floating-point unit on these targets, except to say that one is overwritten.
#[cfg(all(target_arch = "arm", target_abi = "eabihf", target_os = "none"))]
#[inline]
#[allow(unsafe_code, reason = "an instruction")]
fn root(value: f32) -> f32 {
    let bits: u32;
    // SAFETY: targets with this ABI have the instruction. It changes the two named registers and no memory.
    unsafe {
        core::arch::asm!(
            "vmov s0, {bits}",
            "vsqrt.f32 s0, s0",
            "vmov {bits}, s0",
            bits = inlateout(reg) value.to_bits() => bits,
            out("s0") _,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    f32::from_bits(bits)
}

#[cfg(test)]
mod tests {
    use super::sqrt_f32;

    #[test]
    fn roots_are_exact_at_squares_and_ends() {
        for (value, root) in [
            (0.0, 0.0),
            (-0.0, -0.0),
            (9.0, 3.0),
            (f32::MIN_POSITIVE, 1.084_202_2e-19),
            (f32::from_bits(1), 3.743_392e-23),
            (f32::MAX, 1.844_674_3e19),
            (f32::INFINITY, f32::INFINITY),
        ] {
            assert_eq!(sqrt_f32(value).to_bits(), f32::to_bits(root), "{value}");
        }
    }

    #[test]
    fn roots_are_the_nearest_numbers() {
        // Both parities of the exponent; 4093 is prime.
        for bits in (1.0_f32.to_bits()..4.0_f32.to_bits()).step_by(4093) {
            let value = f32::from_bits(bits);
            let root = f64::from(sqrt_f32(value));
            let half = f64::from(f32::EPSILON) / 2.0;
            let square = f64::from(value);
            assert!((root - half).powi(2) < square && square < (root + half).powi(2), "{value}");
        }
    }
}
