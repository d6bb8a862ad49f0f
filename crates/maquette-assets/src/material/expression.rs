//! Expressions of Doom 3 materials, which may change with time. Source: Doom 3 `Material.cpp` (`ParseTerm`,
//! `ParseExpressionPriority`), `DeclTable.cpp` (`TableLookup`).

use std::sync::Arc;

/// A table of a `.mtr` file: a curve of period 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LookupTable {
    /// Values at equal distances.
    pub values: Vec<f32>,
    /// Whether values are not interpolated.
    pub snaps: bool,
    /// Whether the curve ends at the last value instead of repeating.
    pub clamps: bool,
}

impl LookupTable {
    /// Returns the value at `x` periods; 1 with fewer than two values, as in the game.
    pub fn at(&self, x: f32) -> f32 {
        let count = self.values.len();
        let value = |index: usize| self.values.get(index % count.max(1)).copied().unwrap_or(0.0);
        if count < 2 {
            return 1.0;
        }
        if !x.is_finite() {
            return value(0);
        }
        let input = if self.clamps {
            let last = (count - 1) as f32;
            (x * last).clamp(0.0, last)
        } else {
            (x - x.floor()) * count as f32
        };
        let first = input as usize;
        if self.clamps && first >= count - 1 {
            return value(count - 1);
        }
        if self.snaps {
            return value(first);
        }
        let share = input - first as f32;
        value(first) * (1.0 - share) + value(first + 1) * share
    }
}

/// Operator of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// a + b
    Add,
    /// a − b
    Subtract,
    /// a · b
    Multiply,
    /// a / b; 0 if b is 0.
    Divide,
    /// Remainder of a / b, both truncated to whole numbers; 0 if b becomes 0.
    Remainder,
    /// 1 if a > b, else 0. The other comparisons also give 1 or 0.
    Greater,
    /// a ≥ b
    GreaterEqual,
    /// a < b
    Less,
    /// a ≤ b
    LessEqual,
    /// a = b
    Equal,
    /// a ≠ b
    NotEqual,
    /// 1 if neither operand is 0, else 0.
    And,
    /// 1 if either operand is not 0, else 0.
    Or,
}

/// A number that may change with time.
#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    /// A constant.
    Number(f32),
    /// Time in seconds.
    Time,
    /// Value of a table.
    Lookup(Arc<LookupTable>, Box<Expression>),
    /// An operator with two operands.
    Join(Operator, Box<(Expression, Expression)>),
}

impl Expression {
    /// Returns the value at `seconds`; 0 if it is not finite.
    pub fn at(&self, seconds: f64) -> f32 {
        let value = match self {
            Self::Number(number) => *number,
            Self::Time => seconds as f32,
            Self::Lookup(table, input) => table.at(input.at(seconds)),
            Self::Join(operator, sides) => join(*operator, sides.0.at(seconds), sides.1.at(seconds)),
        };
        if value.is_finite() { value } else { 0.0 }
    }

    /// Returns whether the value changes with time.
    pub fn moves(&self) -> bool {
        match self {
            Self::Number(_) => false,
            Self::Time => true,
            Self::Lookup(_, input) => input.moves(),
            Self::Join(_, sides) => sides.0.moves() || sides.1.moves(),
        }
    }
}

fn join(operator: Operator, a: f32, b: f32) -> f32 {
    let truth = |is_true: bool| f32::from(u8::from(is_true));
    #[allow(clippy::float_cmp, reason = "the material states this exact value")]
    match operator {
        Operator::Add => a + b,
        Operator::Subtract => a - b,
        Operator::Multiply => a * b,
        Operator::Divide => {
            if b == 0.0 {
                0.0
            } else {
                a / b
            }
        }
        Operator::Remainder => {
            if b.trunc() == 0.0 {
                0.0
            } else {
                a.trunc() % b.trunc()
            }
        }
        Operator::Greater => truth(a > b),
        Operator::GreaterEqual => truth(a >= b),
        Operator::Less => truth(a < b),
        Operator::LessEqual => truth(a <= b),
        Operator::Equal => truth(a == b),
        Operator::NotEqual => truth(a != b),
        Operator::And => truth(a != 0.0 && b != 0.0),
        Operator::Or => truth(a != 0.0 || b != 0.0),
    }
}
