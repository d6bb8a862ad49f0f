//! Memory size of a model.

use super::{EmbeddedImage, JointFrames, Model, Motion, PackedVertices, TagTrack};

fn list<T>(items: &[T]) -> u64 {
    size_of_val(items) as u64
}

impl Model {
    /// Returns the size of the model's lists in bytes, without names and other small data.
    pub fn bytes(&self) -> u64 {
        let surfaces = self.surfaces().iter().map(|surface| list(&surface.triangles) + list(&surface.uvs));
        let moving = match self.motion() {
            Motion::Morph(morph) => {
                let tags = match &morph.tags {
                    TagTrack::Axes(tags) => list(tags),
                    TagTrack::Angles(tags) => list(tags),
                };
                let tracks = morph.surfaces.iter().map(|track| {
                    let vertices = match &track.vertices {
                        PackedVertices::Bytes { frames, vertices } => list(frames) + list(vertices),
                        PackedVertices::Shorts(vertices) => list(vertices),
                        PackedVertices::Floats(vertices) => list(vertices),
                        PackedVertices::KeyDeltas { keys, deltas, frames } => list(keys) + list(deltas) + list(frames),
                    };
                    vertices + track.remap.as_deref().map_or(0, list)
                });
                tags + tracks.sum::<u64>()
            }
            Motion::Skeletal(skeletal) => {
                let bindings = skeletal
                    .bindings
                    .iter()
                    .map(|binding| list(&binding.vertices) + list(&binding.weights) + list(&binding.bind));
                let tracks = skeletal.tracks.iter().map(|track| match &track.frames {
                    JointFrames::Missing | JointFrames::Bind => 0,
                    JointFrames::Matrices(frames) | JointFrames::Relative(frames) => list(frames),
                    JointFrames::PackedMatrices(frames) => list(frames),
                    JointFrames::Channels(channels) => list(&channels.joints) + list(&channels.components),
                    JointFrames::Angles(angles) => list(&angles.bones) + list(&angles.roots) + list(&angles.angles),
                    JointFrames::Pool(pool) => list(&pool.indices) + list(&pool.bones),
                    JointFrames::Local(frames) => list(&frames.poses) + list(&frames.words),
                });
                list(&skeletal.joints) + bindings.sum::<u64>() + tracks.sum::<u64>()
            }
        };
        let images = self.embedded_skins().iter().flat_map(|skin| &skin.images).map(EmbeddedImage::bytes);
        let with_joints = self.data().with_joints.as_ref().map_or(0, |version| version.model.bytes());
        list(self.frames()) + surfaces.sum::<u64>() + moving + images.sum::<usize>() as u64 + with_joints
    }
}
