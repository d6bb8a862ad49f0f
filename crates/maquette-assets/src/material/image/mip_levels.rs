//! Mip levels of an image: averages of the stored values, without conversion to linear light, as in the games.

/// Width, height and texels (four bytes each) of one mip level.
pub type MipLevel = (u32, u32, Vec<u8>);

/// Computes the mip levels of an image down to 1 × 1, each half as large as the one before.
pub fn mip_levels(width: u32, height: u32, rgba: &[u8]) -> Vec<MipLevel> {
    let mut levels: Vec<MipLevel> = Vec::new();
    let (mut width, mut height) = (width, height);
    while width > 1 || height > 1 {
        let smaller = ((width / 2).max(1), (height / 2).max(1));
        let above = levels.last().map_or(rgba, |(_, _, texels)| texels);
        let texels = if width % 2 == 0 && height % 2 == 0 {
            halve(above, width as usize)
        } else {
            shrink(above, (width, height), smaller)
        };
        (width, height) = smaller;
        levels.push((width, height, texels));
    }
    levels
}

fn halve(texels: &[u8], width: usize) -> Vec<u8> {
    let mut result = Vec::with_capacity(texels.len() / 4);
    for rows in texels.chunks_exact(width * 8) {
        let (upper, lower) = rows.split_at(width * 4);
        for (upper, lower) in upper.as_chunks::<8>().0.iter().zip(lower.as_chunks::<8>().0) {
            let ([a, b], [c, d]) = ([&upper[..4], &upper[4..]], [&lower[..4], &lower[4..]]);
            let sums = a
                .iter()
                .zip(b)
                .zip(c)
                .zip(d)
                .map(|(((a, b), c), d)| u16::from(*a) + u16::from(*b) + u16::from(*c) + u16::from(*d) + 2);
            result.extend(sums.map(|sum| (sum / 4) as u8));
        }
    }
    result
}

fn shrink(texels: &[u8], from: (u32, u32), to: (u32, u32)) -> Vec<u8> {
    let row_bytes = from.0 as usize * 4;
    let (columns, rows) = (covered(from.0, to.0), covered(from.1, to.1));
    let mut result = Vec::with_capacity(to.0 as usize * to.1 as usize * 4);
    let mut totals = vec![[0.0_f32; 4]; to.0 as usize];
    for &(first, weights) in &rows {
        totals.fill([0.5; 4]);
        let under = texels.chunks_exact(row_bytes).skip(first).zip(weights);
        for (row, row_weight) in under.filter(|(_, weight)| *weight > 0.0) {
            let row = row.as_chunks::<4>().0;
            for (total, &(first, weights)) in totals.iter_mut().zip(&columns) {
                for (texel, weight) in row.iter().skip(first).zip(weights) {
                    for (total, &value) in total.iter_mut().zip(texel) {
                        *total += f32::from(value) * weight * row_weight;
                    }
                }
            }
        }
        result.extend(totals.as_flattened().iter().map(|value| *value as u8));
    }
    result
}

/// Returns, for each of `to` texels, the first of `from` texels under it, and the weights of that texel and the next
/// two.
fn covered(from: u32, to: u32) -> Vec<(usize, [f32; 3])> {
    let scale = from as f32 / to as f32;
    (0..to)
        .map(|texel| {
            let first = u64::from(texel) * u64::from(from) / u64::from(to);
            let (low, high, base) = (texel as f32 * scale, (texel + 1) as f32 * scale, first as f32);
            let share = |k: f32| ((high.min(base + k + 1.0) - low.max(base + k)) / scale).max(0.0);
            (usize::try_from(first).unwrap_or(0), [share(0.0), share(1.0), share(2.0)])
        })
        .collect()
}
