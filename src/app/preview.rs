//! Previews of exports, computed on a thread while an export dialog is open.

#![forbid(unsafe_code)]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Sender, channel};
use std::thread;

use super::Event;
use crate::output::{OffscreenRenderer, OutputJob, PreviewKey};
use maquette_scene::session::Session;

#[derive(Default)]
pub(super) struct Previewer {
    jobs: Option<Sender<OutputJob>>,
    key: Option<PreviewKey>,
    is_busy: bool,
}

impl Previewer {
    /// Requests a preview if the inputs changed. Returns whether the preview is outdated; `None` if no dialog is open.
    pub fn update(&mut self, session: &Session, send_event: impl Fn(Event) + Send + 'static) -> Option<bool> {
        let Some(product) = session.jobs.saving.open else {
            if !self.is_busy {
                *self = Self::default();
            }
            return None;
        };
        let key = PreviewKey::from_session(session, product);
        if self.key.as_ref() != Some(&key) {
            if self.is_busy {
                return Some(true);
            }
            self.key = Some(key);
            match OutputJob::to_preview(session, product) {
                Some(job) => self.is_busy = self.jobs(send_event).is_some_and(|jobs| jobs.send(job).is_ok()),
                // An empty preview replaces that of other options.
                None => send_event(Event::Preview(Box::default())),
            }
        }
        Some(self.is_busy)
    }

    pub fn is_busy(&self) -> bool {
        self.is_busy
    }

    pub fn received(&mut self) {
        self.is_busy = false;
    }

    fn jobs(&mut self, send_event: impl Fn(Event) + Send + 'static) -> Option<&Sender<OutputJob>> {
        if self.jobs.is_none() {
            let (send, receive) = channel::<OutputJob>();
            let run = move || {
                let mut renderer = None;
                for job in receive {
                    // A panic must not affect more than this preview.
                    let preview = catch_unwind(AssertUnwindSafe(|| {
                        if renderer.is_none() {
                            renderer = OffscreenRenderer::open().ok();
                        }
                        job.preview(renderer.as_mut()?).ok()
                    }));
                    send_event(Event::Preview(preview.ok().flatten().unwrap_or_default().into()));
                }
            };
            let started = thread::Builder::new().name("preview".to_owned()).spawn(run);
            self.jobs =
                started.map_err(|error| log::error!("could not start the preview thread: {error}")).ok().map(|_| send);
        }
        self.jobs.as_ref()
    }
}
