//! Maps with small keys that many are looked up in: several times as fast as the standard ones, and, like these, seeded at
//! random, so that no file can be made that has all its keys in one place.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher, RandomState};

/// A map of small keys.
pub type QuickMap<Key, Value> = HashMap<Key, Value, Seeds>;

/// What the hashes of one map begin with.
#[derive(Clone, Copy, Debug)]
pub struct Seeds {
    start: u64,
    factor: u64,
}

impl Default for Seeds {
    fn default() -> Self {
        let random = RandomState::new();
        // An odd factor loses nothing.
        Self { start: random.hash_one(0_u8), factor: random.hash_one(1_u8) | 1 }
    }
}

impl BuildHasher for Seeds {
    type Hasher = QuickHasher;

    fn build_hasher(&self) -> QuickHasher {
        QuickHasher { state: self.start, factor: self.factor }
    }
}

/// Multiplies and folds the halves of the product.
#[derive(Debug)]
pub struct QuickHasher {
    state: u64,
    factor: u64,
}

impl Hasher for QuickHasher {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64(u64::from(*byte)));
    }

    fn write_u16(&mut self, value: u16) {
        self.write_u64(value.into());
    }

    fn write_u32(&mut self, value: u32) {
        self.write_u64(value.into());
    }

    #[allow(clippy::cast_possible_truncation, reason = "the two halves")]
    fn write_u64(&mut self, value: u64) {
        let product = u128::from(self.state ^ value) * u128::from(self.factor);
        self.state = (product as u64) ^ ((product >> 64) as u64);
    }

    fn finish(&self) -> u64 {
        self.state
    }
}
