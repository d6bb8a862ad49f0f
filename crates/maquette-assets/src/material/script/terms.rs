//! Parser for expressions, tables and image programs of Doom 3 materials.

use super::{Definition, Scripts};
use crate::engines::doom3_declarations::split_mark;
use crate::material::expression::{Expression, LookupTable, Operator};
use crate::material::image::ImageProgram;
use maquette_core::error::{LoadError, Reason};
use maquette_core::limits::MAX_NESTING;
use maquette_core::text::Lexer;

/// Parses `table name { [snap] [clamp] { n, n, … } }` after the first bracket.
pub(super) fn parse_table(definition: &Definition<'_>) -> Option<LookupTable> {
    let mut lexer = definition.lexer();
    let mut table = LookupTable::default();
    let mut is_negative = false;
    while let Ok(Some(token)) = lexer.next() {
        if token.is("snap") {
            table.snaps = true;
        } else if token.is("clamp") {
            table.clamps = true;
        } else if token.is("-") {
            is_negative = true;
        } else if token.is("}") {
            break;
        } else if let Some(number) = number(&token.text()) {
            table.values.push(if is_negative { -number } else { number });
            is_negative = false;
        }
    }
    (!table.values.is_empty()).then_some(table)
}

fn number(text: &str) -> Option<f32> {
    let number = text.parse().ok().or_else(|| text.strip_suffix(['f', 'F'])?.parse().ok());
    number.filter(|number: &f32| number.is_finite())
}

/// Operators by precedence, the highest first. They are right-associative as in the game: 10 − 4 − 3 is 9.
const LEVELS: [&[(&str, Operator)]; 4] = [
    &[("*", Operator::Multiply), ("/", Operator::Divide), ("%", Operator::Remainder)],
    &[("+", Operator::Add), ("-", Operator::Subtract)],
    &[
        (">", Operator::Greater),
        (">=", Operator::GreaterEqual),
        ("<", Operator::Less),
        ("<=", Operator::LessEqual),
        ("==", Operator::Equal),
        ("!=", Operator::NotEqual),
    ],
    &[("&&", Operator::And), ("||", Operator::Or)],
];

pub(super) fn expression(scripts: &Scripts, lexer: &mut Lexer<'_>) -> Result<Expression, LoadError> {
    joined(scripts, lexer, LEVELS.len(), 0)
}

fn joined(scripts: &Scripts, lexer: &mut Lexer<'_>, level: usize, depth: usize) -> Result<Expression, LoadError> {
    let Some(operators) = level.checked_sub(1).and_then(|level| LEVELS.get(level)) else {
        return term(scripts, lexer, depth);
    };
    let left = joined(scripts, lexer, level - 1, depth)?;
    let next = lexer.peek()?;
    let found = next.and_then(|token| operators.iter().find(|(word, _)| token.is(word)));
    let Some((_, operator)) = found else { return Ok(left) };
    lexer.next()?;
    let right = joined(scripts, lexer, level, depth + 1)?;
    Ok(folded(Expression::Join(*operator, Box::new((left, right)))))
}

fn term(scripts: &Scripts, lexer: &mut Lexer<'_>, depth: usize) -> Result<Expression, LoadError> {
    if depth > MAX_NESTING {
        return Err(lexer.error("expression", Reason::Broken("the expression is nested too deeply".to_owned())));
    }
    let before = *lexer;
    let Some(token) = lexer.next()? else { return Err(before.unexpected(None, "expression", "a number")) };
    if token.is("(") {
        let inner = joined(scripts, lexer, LEVELS.len(), depth + 1)?;
        lexer.expect(")", "expression")?;
        return Ok(inner);
    }
    if token.is("-") {
        let inner = term(scripts, lexer, depth + 1)?;
        return Ok(folded(Expression::Join(Operator::Subtract, Box::new((Expression::Number(0.0), inner)))));
    }
    let word = token.text().to_ascii_lowercase();
    if let Some(number) = number(&word) {
        return Ok(Expression::Number(number));
    }
    if word == "time" {
        return Ok(Expression::Time);
    }
    // Parameters of an entity: the colour is white, others are 0.
    if let Some(parameter) = word.strip_prefix("parm").and_then(|number| number.parse::<u32>().ok()) {
        return Ok(Expression::Number(if parameter < 4 { 1.0 } else { 0.0 }));
    }
    if word.starts_with("global") || matches!(word.as_str(), "sound" | "fragmentprograms") {
        return Ok(Expression::Number(if word == "fragmentprograms" { 1.0 } else { 0.0 }));
    }
    if lexer.check("[")? {
        let index = joined(scripts, lexer, LEVELS.len(), depth + 1)?;
        lexer.expect("]", "expression")?;
        return match scripts.table(&word) {
            Some(table) => Ok(folded(Expression::Lookup(table, Box::new(index)))),
            None => Err(before.error_at(&token, "expression", Reason::Broken(format!("unknown table “{word}”")))),
        };
    }
    Err(before.unexpected(Some(token), "expression", "a number"))
}

fn folded(expression: Expression) -> Expression {
    if expression.moves() { expression } else { Expression::Number(expression.at(0.0)) }
}

/// Parses an image or a program. `split` is set to the first name that the game splits, and the mark at which it does.
pub(super) fn image_program(
    lexer: &mut Lexer<'_>,
    split: &mut Option<(String, char)>,
    depth: usize,
) -> Result<ImageProgram, LoadError> {
    if depth > MAX_NESTING {
        return Err(lexer.error("map", Reason::Broken("the image program is nested too deeply".to_owned())));
    }
    let mark = lexer.peek()?.and_then(|token| split_mark(&token));
    let name = lexer.parse_text("map")?;
    if let Some(mark) = mark {
        split.get_or_insert_with(|| (name.clone(), mark));
    }
    let is_function = lexer.peek()?.is_some_and(|token| token.is("("));
    let word = name.to_ascii_lowercase();
    #[rustfmt::skip]
    const FUNCTIONS: [&str; 9] = [
        "heightmap", "addnormals", "smoothnormals", "add", "scale", "invertalpha", "invertcolor", "makeintensity",
        "makealpha",
    ];
    if !is_function || !FUNCTIONS.contains(&word.as_str()) {
        return Ok(ImageProgram::named(&name));
    }
    lexer.expect("(", "map")?;
    let first = Box::new(image_program(lexer, split, depth + 1)?);
    let program = match word.as_str() {
        "heightmap" => {
            lexer.check(",")?;
            ImageProgram::Heightmap(first, signed_number(lexer)?)
        }
        "addnormals" | "add" => {
            lexer.check(",")?;
            let both = Box::new([*first, image_program(lexer, split, depth + 1)?]);
            if word == "add" { ImageProgram::Add(both) } else { ImageProgram::AddNormals(both) }
        }
        "scale" => {
            let mut times = [1.0; 4];
            for channel in &mut times {
                if lexer.check(",")? {
                    *channel = signed_number(lexer)?;
                }
            }
            ImageProgram::Scale(first, times)
        }
        "smoothnormals" => ImageProgram::SmoothNormals(first),
        "invertalpha" => ImageProgram::InvertAlpha(first),
        "invertcolor" => ImageProgram::InvertColour(first),
        "makeintensity" => ImageProgram::MakeIntensity(first),
        _ => ImageProgram::MakeAlpha(first),
    };
    lexer.expect(")", "map")?;
    Ok(program)
}

fn signed_number(lexer: &mut Lexer<'_>) -> Result<f32, LoadError> {
    let is_negative = lexer.check("-")?;
    let before = *lexer;
    let token = lexer.next()?;
    let number =
        token.and_then(|token| number(&token.text())).ok_or_else(|| before.unexpected(token, "map", "a number"))?;
    Ok(if is_negative { -number } else { number })
}
