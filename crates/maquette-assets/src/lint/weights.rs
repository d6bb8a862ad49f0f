//! Rules for the weights of vertices.

use super::finding::{Location, Occurrences, Severity, Sink};
use super::input::Context;
use maquette_core::error::counted;
use maquette_core::model::{Binding, Motion, Surface};

const TOLERANCE: f32 = 0.01;

pub(super) fn sums(context: &Context, sink: &mut Sink) {
    each_binding(context, |index, surface, binding| {
        let mut found = Occurrences::default();
        let mut worst = 1.0_f32;
        for (vertex, (first, count)) in binding.vertices.iter().enumerate().filter(|(_, (_, count))| *count > 0) {
            let sum = weight_sum(binding, *first, *count);
            // A separate rule reports weights that are all 0.
            if sum != 0.0 && (sum - 1.0).abs() > TOLERANCE {
                worst = if (sum - 1.0).abs() > (worst - 1.0).abs() { sum } else { worst };
                found.add(|| Location { vertex: Some(vertex), ..Location::surface(index, &surface.name) });
            }
        }
        let vertices = counted(found.count, "vertex", "vertices");
        let message = format!("the weights of {vertices} do not sum to 1; the worst sum is {worst:.3}");
        sink.add_all(Severity::Warning, found, message);
    });
}

pub(super) fn none(context: &Context, sink: &mut Sink) {
    each_binding(context, |index, surface, binding| {
        let mut found = Occurrences::default();
        let is_unweighted = |(first, count): (u32, u32)| weight_sum(binding, first, count) == 0.0;
        for (vertex, _) in binding.vertices.iter().enumerate().filter(|(_, weights)| is_unweighted(**weights)) {
            found.add(|| Location { vertex: Some(vertex), ..Location::surface(index, &surface.name) });
        }
        let vertices =
            counted(found.count, "vertex has no weight above 0 and stays", "vertices have no weight above 0 and stay");
        sink.add_all(Severity::Warning, found, format!("{vertices} at the origin"));
    });
}

fn weight_sum(binding: &Binding, first: u32, count: u32) -> f32 {
    binding.weights.iter().skip(first as usize).take(count as usize).map(|weight| weight.bias).sum()
}

fn each_binding(context: &Context, mut message: impl FnMut(usize, &Surface, &Binding)) {
    let Motion::Skeletal(skeletal) = context.model().motion() else { return };
    for (index, (surface, binding)) in context.model().surfaces().iter().zip(&skeletal.bindings).enumerate() {
        message(index, surface, binding);
    }
}
