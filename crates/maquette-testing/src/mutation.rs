//! Structured changes of files: replaced numbers and words, repeated and removed pieces.

/// Critical numbers: readers failed on them before.
const NUMBERS: [i32; 14] = [0, 1, -1, 2, 3, 4, 255, 256, 65_535, 65_536, 1 << 20, i32::MAX, i32::MIN, 0x7F80_0000];
/// Critical numbers as text.
const WRITTEN: [&str; 12] =
    ["0", "1", "-1", "2", "65536", "2147483647", "-2147483648", "4294967296", "1e38", "-1e38", "nan", "0.000001"];

/// Small random generator.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most.max(1)
    }
}

/// Changes one to four parts of a file. Text gets some of `words`; equal seeds give equal changes.
pub fn mutate(content: &mut Vec<u8>, seed: u32, words: &[&str]) {
    let mut dice = Dice(u64::from(seed) << 8 | 1);
    let graphic = content.iter().filter(|byte| byte.is_ascii_graphic()).count();
    let is_text = !content.contains(&0) && graphic * 2 > content.len();
    for _ in 0..=dice.below(4) {
        if is_text { change_text(content, &mut dice, words) } else { change_numbers(content, &mut dice) }
    }
}

fn change_numbers(content: &mut Vec<u8>, dice: &mut Dice) {
    let length = content.len();
    if length < 8 {
        content.extend([0; 8]);
        return;
    }
    // Headers are read first and matter most.
    let area = if dice.below(3) > 0 { length.min(160) } else { length };
    let at = dice.below(area / 4) * 4;
    let Some(field) = content.get_mut(at..at + 4) else { return };
    let old = i32::from_le_bytes([field[0], field[1], field[2], field[3]]);
    let size = i32::try_from(length).unwrap_or(i32::MAX);
    let new = match dice.below(8) {
        0 => old.wrapping_add(1),
        1 => old.wrapping_sub(1),
        2 => old.wrapping_neg(),
        3 => size,
        4 => size - 1,
        5 => old.wrapping_mul(2),
        _ => NUMBERS[dice.below(NUMBERS.len())],
    };
    if dice.below(6) == 0 {
        // Repeats or removes a piece, so that tables move against their offsets.
        let (from, count) = (dice.below(length), dice.below(64));
        let piece: Vec<u8> = content.iter().skip(from).take(count).copied().collect();
        if dice.below(2) == 0 {
            content.splice(from..from, piece);
        } else {
            content.drain(from..(from + piece.len()).min(length));
        }
    } else if let Some(field) = content.get_mut(at..at + 4) {
        field.copy_from_slice(&new.to_le_bytes());
    }
}

fn change_text(content: &mut Vec<u8>, dice: &mut Dice, words: &[&str]) {
    let is_word = |byte: &u8| !byte.is_ascii_whitespace();
    let mut spans = Vec::new();
    let mut start = None;
    for (at, byte) in content.iter().enumerate() {
        match (is_word(byte), start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                spans.push(from..at);
                start = None;
            }
            _ => {}
        }
    }
    spans.extend(start.map(|from| from..content.len()));
    if spans.is_empty() {
        content.extend(words.first().map_or(&b"x"[..], |word| word.as_bytes()));
        return;
    }
    let span = spans[dice.below(spans.len())].clone();
    let other = spans[dice.below(spans.len())].clone();
    let word = || -> Vec<u8> { b" ".to_vec() };
    let new: Vec<u8> = match dice.below(7) {
        0 | 1 if !words.is_empty() => words[dice.below(words.len())].as_bytes().to_vec(),
        2 | 3 => WRITTEN[dice.below(WRITTEN.len())].as_bytes().to_vec(),
        4 => content[other].to_vec(),
        5 => Vec::new(),
        _ => [content[span.clone()].to_vec(), word(), content[other].to_vec()].concat(),
    };
    content.splice(span, new);
}
