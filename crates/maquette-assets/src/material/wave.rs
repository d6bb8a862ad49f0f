//! Waves: functions of time that scripts use for colours, coordinates and vertices.
//!
//! A wave is base + amplitude · f(phase + time · frequency), where f has period 1. Like the games, f is evaluated in
//! 1024 steps without smoothing. Source: ioquake3 `tr_shade_calc.c` (`TableForFunc`, `WAVEVALUE`).

const STEPS: i64 = 1024;

/// Function of a wave. Each variant lists its values over one period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waveform {
    /// 0, 1, 0, −1.
    Sine,
    /// 0, 1, 0, −1, linear.
    Triangle,
    /// 1 for half a period, then −1.
    Square,
    /// Linear from 0 to 1.
    Sawtooth,
    /// Linear from 1 to 0.
    InverseSawtooth,
    /// Smooth noise, −1 to 1. The values differ from the games', which use the C library's random numbers.
    Noise,
}

impl Waveform {
    /// Returns the function called `word` in scripts, ignoring case.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        const WORDS: [(&str, Waveform); 6] = [
            ("sin", Waveform::Sine),
            ("triangle", Waveform::Triangle),
            ("square", Waveform::Square),
            ("sawtooth", Waveform::Sawtooth),
            ("inversesawtooth", Waveform::InverseSawtooth),
            ("noise", Waveform::Noise),
        ];
        WORDS.into_iter().find(|(name, _)| name.eq_ignore_ascii_case(word)).map(|(_, form)| form)
    }

    /// Returns the value at `x` periods.
    pub fn at(self, x: f64) -> f32 {
        if self == Self::Noise {
            return noise([x as f32, 0.0, 0.0, 0.0]);
        }
        let step = ((x * STEPS as f64) as i64).rem_euclid(STEPS);
        let share = step as f32 / STEPS as f32;
        match self {
            Self::Sine => (share * std::f32::consts::TAU).sin(),
            Self::Triangle if share < 0.25 => share * 4.0,
            Self::Triangle if share < 0.75 => 2.0 - share * 4.0,
            Self::Triangle => share * 4.0 - 4.0,
            Self::Square => {
                if step < STEPS / 2 {
                    1.0
                } else {
                    -1.0
                }
            }
            Self::Sawtooth | Self::Noise => share,
            Self::InverseSawtooth => 1.0 - share,
        }
    }
}

/// A wave with its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wave {
    /// Function.
    pub form: Waveform,
    /// Constant term.
    pub base: f32,
    /// Factor of the function.
    pub amplitude: f32,
    /// Phase in periods; for noise, in seconds.
    pub phase: f32,
    /// Frequency in periods per second.
    pub frequency: f32,
}

impl Wave {
    /// Returns the value at `seconds`.
    pub fn at(&self, seconds: f64) -> f32 {
        self.at_phase(seconds, 0.0)
    }

    /// Returns the value at `seconds`, with `ahead` added to the phase.
    pub fn at_phase(&self, seconds: f64, ahead: f32) -> f32 {
        let x = if self.form == Waveform::Noise {
            (seconds + f64::from(self.phase + ahead)) * f64::from(self.frequency)
        } else {
            f64::from(self.phase + ahead) + seconds * f64::from(self.frequency)
        };
        self.base + self.amplitude * self.form.at(x)
    }

    /// Returns whether the value changes with time.
    pub fn moves(&self) -> bool {
        self.amplitude != 0.0 && self.frequency != 0.0
    }
}

/// Returns smooth noise between −1 and 1: random values at integer positions, interpolated.
pub fn noise(point: [f32; 4]) -> f32 {
    let point = point.map(|value| if value.is_finite() { value } else { 0.0 });
    let floor = point.map(f32::floor);
    let mut sum = 0.0;
    for corner in 0..16_u32 {
        let mut weight = 1.0;
        let mut hash: u32 = 0x9e37_79b9;
        for (axis, (value, floor)) in point.into_iter().zip(floor).enumerate() {
            let far = corner >> axis & 1 == 1;
            let share = value - floor;
            weight *= if far { share } else { 1.0 - share };
            let cell = (floor as i64).wrapping_add(i64::from(far)) as u32;
            hash = (hash ^ cell).wrapping_mul(0x85eb_ca6b);
            hash ^= hash >> 13;
        }
        hash = hash.wrapping_mul(0xc2b2_ae35);
        hash ^= hash >> 16;
        let value = hash as f32 / u32::MAX as f32 * 2.0 - 1.0;
        sum += weight * value;
    }
    sum
}
