//! End times of the steps of a group (MDL, SPR).

use crate::bytes::{ByteReader, Column, Kind, Record};
use crate::error::{Fault, LoadError, Warning, WarningKind, Warnings};
use crate::model::is_usable;

const INTERVALS: Record = Record::new("intervals", &[Column::new("interval", Kind::F32, 1)]);

/// Reads the times in seconds at which the steps of a group end. Replaces times that do not increase by steps of the
/// `rate`.
pub(super) fn read(
    reader: &mut ByteReader,
    counter: (&'static str, u64),
    count: u32,
    rate: f32,
    warnings: &mut Warnings,
) -> Result<Vec<f32>, LoadError> {
    let table = reader.next_table(counter, count.into(), &INTERVALS)?;
    let times: Vec<f32> = table.as_chunks::<4>().0.iter().map(|time| f32::from_le_bytes(*time)).collect();
    let is_usual = times.iter().all(|time| is_usable(*time)) && times.is_sorted_by(|a, b| a < b);
    if is_usual && times.first().is_none_or(|first| *first > 0.0) {
        return Ok(times);
    }
    let message = format!("the times do not increase from 0; steps of {} seconds are used", 1.0 / rate);
    let fault = times.iter().any(|time| *time <= 0.0).then_some(Fault::Interval);
    warnings.push(Warning { fault, ..Warning::new(WarningKind::Substituted, "intervals", message) });
    Ok((1..=count).map(|step| step as f32 / rate).collect())
}
