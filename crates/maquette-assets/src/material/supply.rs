//! Pictures that come later: a model is shown before they are decoded, and they are decoded on all cores.
//!
//! The search for materials runs several times with one [`PictureSupply`]. While it is open, a picture that is not there yet
//! is noted, and a placeholder stands for it ([`Picture::is_to_come`]); once it is closed, what is still missing is decoded
//! where it is needed. So the last search comes to the very materials, and says the very words, of one without a supply.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{Limits, Picture, PictureError};

/// Pictures of one opening, by the place of their files.
#[derive(Clone, Debug, Default)]
pub struct PictureSupply(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    slots: HashMap<PathBuf, Slot>,
    /// Places in the order in which they were asked for, and how many of them were taken up.
    order: Vec<PathBuf>,
    begun: usize,
    finished: usize,
    /// Bytes of all texels.
    bytes: usize,
    is_closed: bool,
}

#[derive(Debug)]
enum Slot {
    /// To be decoded; by its name for messages.
    Wanted(String),
    /// Decoded, or why that cannot be.
    Decoded(Result<Arc<Picture>, PictureError>),
    /// It could not be read, or there is no room: whoever needs it finds out why.
    Left,
}

/// What there is of a picture.
pub(super) enum Supplied {
    /// It is decoded, or cannot be.
    Now(Result<Arc<Picture>, PictureError>),
    /// It comes later.
    Later,
    /// It is for the one who asks.
    Not,
}

impl PictureSupply {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The picture in the file at `place`, which messages call `name`.
    pub(super) fn take(&self, place: PathBuf, name: &str) -> Supplied {
        let mut state = self.state();
        match state.slots.get(&place) {
            Some(Slot::Decoded(decoded)) => Supplied::Now(decoded.clone()),
            Some(Slot::Wanted(_)) if !state.is_closed => Supplied::Later,
            None if !state.is_closed => {
                state.slots.insert(place.clone(), Slot::Wanted(name.to_owned()));
                state.order.push(place);
                Supplied::Later
            }
            Some(Slot::Wanted(_) | Slot::Left) | None => Supplied::Not,
        }
    }

    /// Takes nothing more: who needs what is not there decodes it.
    pub fn close(&self) {
        self.state().is_closed = true;
    }

    /// Pictures that are there, or cannot be, and all that were asked for.
    #[must_use]
    pub fn progress(&self) -> (usize, usize) {
        let state = self.state();
        (state.finished, state.order.len())
    }

    /// Whether nothing that was asked for is still to come.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        let (finished, all) = self.progress();
        finished == all
    }

    /// Decodes one picture after another, with its smaller forms, until none is left that nobody has begun, or `stop`. To be
    /// called on several threads; `read` gives the first bytes of a file.
    pub fn decode<E>(&self, limits: &Limits, read: impl Fn(&Path, u64) -> Result<Vec<u8>, E>, stop: impl Fn() -> bool) {
        while !stop() {
            let Some((place, name, room)) = self.begin(limits) else { return };
            let bytes = if room > 0 { read(&place, limits.picture_file()).ok() } else { None };
            let most = limits.picture().min(room as u64);
            let length = bytes.as_ref().map_or(0, Vec::len);
            let decoded = bytes.map(|bytes| Picture::decode_within(&bytes, &name, most).map(Arc::new));
            // What has no room beside the others is left to the search for materials, which warns of it.
            let lacks_room = |error: &PictureError| error.lacks_room(limits);
            let decoded = decoded.filter(|decoded| !decoded.as_ref().is_err_and(lacks_room));
            if let Some(Ok(picture)) = &decoded {
                picture.mip_levels();
            }
            self.finish(place, decoded, length);
        }
    }

    /// The next picture, its name, and how many bytes of texels may still be decoded.
    fn begin(&self, limits: &Limits) -> Option<(PathBuf, String, usize)> {
        let mut state = self.state();
        let place = state.order.get(state.begun)?.clone();
        state.begun += 1;
        let name = match state.slots.get(&place) {
            Some(Slot::Wanted(name)) => name.clone(),
            _ => String::new(),
        };
        Some((place, name, limits.decoded().saturating_sub(state.bytes)))
    }

    /// A file of so many bytes was decoded.
    fn finish(&self, place: PathBuf, decoded: Option<Result<Arc<Picture>, PictureError>>, length: usize) {
        let mut state = self.state();
        state.finished += 1;
        let taken = |decoded: &Result<Arc<Picture>, PictureError>| match decoded {
            Ok(picture) => picture.rgba.len().max(length),
            Err(error) => error.wasted(),
        };
        state.bytes = state.bytes.saturating_add(decoded.as_ref().map_or(length, taken));
        state.slots.insert(place, decoded.map_or(Slot::Left, Slot::Decoded));
    }
}
