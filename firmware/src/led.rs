//! LEDs that are on while their pin is low.

use embedded_hal::digital::{ErrorType, OutputPin, StatefulOutputPin};

/// An inverted pin: high is low.
#[derive(Debug)]
pub struct ActiveLow<P>(P);

impl<P> ActiveLow<P> {
    /// Inverts a pin.
    pub const fn new(pin: P) -> Self {
        Self(pin)
    }
}

impl<P: ErrorType> ErrorType for ActiveLow<P> {
    type Error = P::Error;
}

impl<P: OutputPin> OutputPin for ActiveLow<P> {
    fn set_low(&mut self) -> Result<(), P::Error> {
        self.0.set_high()
    }

    fn set_high(&mut self) -> Result<(), P::Error> {
        self.0.set_low()
    }
}

impl<P: StatefulOutputPin> StatefulOutputPin for ActiveLow<P> {
    fn is_set_high(&mut self) -> Result<bool, P::Error> {
        self.0.is_set_low()
    }

    fn is_set_low(&mut self) -> Result<bool, P::Error> {
        self.0.is_set_high()
    }
}

#[cfg(test)]
mod tests {
    use embedded_hal_mock::eh1::digital::{Mock, State, Transaction};

    use super::*;

    #[test]
    fn an_led_is_on_while_its_pin_is_low() {
        let mut pin = Mock::new(&[
            Transaction::set(State::Low),
            Transaction::get_state(State::Low),
            Transaction::set(State::High),
            Transaction::get_state(State::High),
        ]);
        let mut led = ActiveLow::new(pin.clone());
        led.set_high().unwrap();
        assert_eq!(led.is_set_high(), Ok(true));
        led.set_low().unwrap();
        assert_eq!(led.is_set_low(), Ok(true));
        pin.done();
    }
}
