//! Waves: the functions of time by which scripts move colours, coordinates and vertices.
//!
//! `wave <function> <base> <amplitude> <phase> <frequency>` is base + amplitude · f(phase + time · frequency), where f has
//! a period of 1. The games read f from tables of 1024 steps without smoothing, and so do we: a square wave switches in the same
//! millisecond. Source: ioquake3 `tr_shade_calc.c` (`TableForFunc`, `WAVEVALUE`).

/// Steps of a period.
const STEPS: i64 = 1024;

/// The form of a wave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waveform {
    /// 0, 1, 0, −1.
    Sine,
    /// 0, 1, 0, −1, straight.
    Triangle,
    /// 1 for half a period, then −1.
    Square,
    /// From 0 up to 1.
    Sawtooth,
    /// From 1 down to 0.
    InverseSawtooth,
    /// Smooth chance, −1 to 1. The games' own chance comes from the C library; ours is another.
    Noise,
}

impl Waveform {
    /// The form that scripts call `word`, in any case.
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

    /// The function's value at `x` periods.
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        reason = "a step of 1024; the cast saturates"
    )]
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

/// A wave.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wave {
    /// Its form.
    pub form: Waveform,
    /// What it moves about.
    pub base: f32,
    /// How far.
    pub amplitude: f32,
    /// Where it starts, in periods.
    pub phase: f32,
    /// Periods per second.
    pub frequency: f32,
}

impl Wave {
    /// Its value after `seconds`.
    #[must_use]
    pub fn at(&self, seconds: f64) -> f32 {
        self.at_phase(seconds, 0.0)
    }

    /// Its value after `seconds`, `ahead` periods ahead.
    #[must_use]
    pub fn at_phase(&self, seconds: f64, ahead: f32) -> f32 {
        let x = if self.form == Waveform::Noise {
            (seconds + f64::from(self.phase + ahead)) * f64::from(self.frequency)
        } else {
            f64::from(self.phase + ahead) + seconds * f64::from(self.frequency)
        };
        self.base + self.amplitude * self.form.at(x)
    }

    /// Whether it changes with time.
    #[must_use]
    pub fn moves(&self) -> bool {
        self.amplitude != 0.0 && self.frequency != 0.0
    }
}

/// Smooth chance between −1 and 1: values at whole places, blended in between.
#[must_use]
pub fn noise(place: [f32; 4]) -> f32 {
    let place = place.map(|value| if value.is_finite() { value } else { 0.0 });
    let floor = place.map(f32::floor);
    let mut sum = 0.0;
    for corner in 0..16_u32 {
        let mut weight = 1.0;
        let mut hash: u32 = 0x9e37_79b9;
        for (axis, (value, floor)) in place.into_iter().zip(floor).enumerate() {
            let far = corner >> axis & 1 == 1;
            let share = value - floor;
            weight *= if far { share } else { 1.0 - share };
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "any number will do; it saturates"
            )]
            let cell = (floor as i64).wrapping_add(i64::from(far)) as u32;
            hash = (hash ^ cell).wrapping_mul(0x85eb_ca6b);
            hash ^= hash >> 13;
        }
        hash = hash.wrapping_mul(0xc2b2_ae35);
        hash ^= hash >> 16;
        #[expect(clippy::cast_precision_loss, reason = "a share of its range")]
        let value = hash as f32 / u32::MAX as f32 * 2.0 - 1.0;
        sum += weight * value;
    }
    sum
}
