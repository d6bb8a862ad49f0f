//! Tables of numbers, read between their rows as smooth curves: the outlines and centre lines of the figure.

/// Rows of `N` values against a rising first column.
#[derive(Clone, Debug)]
pub struct Profile<const N: usize> {
    rows: Vec<(f64, [f64; N])>,
}

impl<const N: usize> Profile<N> {
    /// From rows sorted by their key.
    pub fn new(rows: &[(f64, [f64; N])]) -> Self {
        debug_assert!(rows.windows(2).all(|pair| pair[0].0 < pair[1].0), "rows must rise");
        Self { rows: rows.to_vec() }
    }

    /// A curve that never leaves the range of two neighbouring rows: for radii and folds, where an overshoot would show.
    pub fn tight(&self, key: f64) -> [f64; N] {
        self.curve(key, |before, after, span_before, span_after| {
            if before * after <= 0.0 {
                return 0.0;
            }
            let (w1, w2) = (2.0 * span_after + span_before, span_after + 2.0 * span_before);
            (w1 + w2) / (w1 / before + w2 / after)
        })
    }

    /// A curve as round as the rows allow: for centre lines.
    pub fn round(&self, key: f64) -> [f64; N] {
        self.curve(key, |before, after, span_before, span_after| {
            (before * span_after + after * span_before) / (span_before + span_after)
        })
    }

    /// Cubic Hermite between rows; `slope_rule` gives an inner row's slope from the slopes and spans beside it.
    fn curve(&self, key: f64, slope_rule: impl Fn(f64, f64, f64, f64) -> f64) -> [f64; N] {
        let rows = &self.rows;
        let last = rows.len() - 1;
        let key = key.clamp(rows[0].0, rows[last].0);
        let index = rows[1..last].iter().take_while(|row| row.0 <= key).count();
        let span = |i: usize| rows[i + 1].0 - rows[i].0;
        let rise = |i: usize, n: usize| (rows[i + 1].1[n] - rows[i].1[n]) / span(i);
        let slope = |i: usize, n: usize| match i {
            0 => rise(0, n),
            i if i == last => rise(last - 1, n),
            i => slope_rule(rise(i - 1, n), rise(i, n), span(i - 1), span(i)),
        };
        let width = span(index);
        let t = (key - rows[index].0) / width;
        std::array::from_fn(|n| {
            let (a, b) = (rows[index].1[n], rows[index + 1].1[n]);
            let (sa, sb) = (slope(index, n) * width, slope(index + 1, n) * width);
            let (t2, t3) = (t * t, t * t * t);
            a * (2.0 * t3 - 3.0 * t2 + 1.0) + sa * (t3 - 2.0 * t2 + t) + b * (3.0 * t2 - 2.0 * t3) + sb * (t3 - t2)
        })
    }
}

/// 0 below `low`, 1 above `high`, smooth between; `low` may be the larger one, which turns it round.
pub fn smooth_step(low: f64, high: f64, value: f64) -> f64 {
    let t = ((value - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
