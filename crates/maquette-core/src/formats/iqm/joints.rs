//! Joints of an IQM, sorted so that parents come first.

use glam::{Quat, Vec3};

use super::{Header, Names};
use crate::bytes::{Column, Kind, PartKind, Record, Source};
use crate::error::{Fault, LoadError, WarningKind, Warnings, counted};
use crate::formats::chunk::{f32s, i32_at};
use crate::model::{Joint, JointTransform, LocalTransform, are_usable, parents_first, u32_or_max, with_computed_w};

const HEAD: [Column; 3] =
    [Column::new("name", Kind::U32, 1), Column::new("parent", Kind::I32, 1), Column::new("translate", Kind::F32, 3)];
const JOINTS: Record = Record::new(
    "joints",
    &[HEAD[0], HEAD[1], HEAD[2], Column::new("rotate", Kind::F32, 4), Column::new("scale", Kind::F32, 3)],
)
.holding(PartKind::Joint);
const JOINTS_1: Record = Record::new(
    "joints",
    &[HEAD[0], HEAD[1], HEAD[2], Column::new("rotate", Kind::F32, 3), Column::new("scale", Kind::F32, 3)],
)
.holding(PartKind::Joint);

#[derive(Default)]
pub(super) struct Joints {
    pub list: Vec<Joint>,
    /// Bind pose of each joint, relative to the parent.
    pub bind: Vec<LocalTransform>,
    pub order: Order,
}

/// Order of joints in which parents come first.
#[derive(Default, PartialEq)]
pub(super) struct Order {
    /// Index in the file of each joint of the model.
    pub in_file: Vec<u32>,
    /// Index in the model of each joint of the file.
    pub in_model: Vec<u32>,
    pub parents: Vec<Option<u32>>,
    /// Number of joints whose parent does not exist or is a descendant; they become roots.
    broken: usize,
}

impl Order {
    pub fn new(parents: &[i32]) -> Self {
        let count = u32_or_max(parents.len());
        let stored: Vec<Option<u32>> = (0..)
            .zip(parents)
            .map(|(joint, parent)| u32::try_from(*parent).ok().filter(|parent| *parent < count && *parent != joint))
            .collect();
        let mut order = Self { in_file: parents_first(&stored), in_model: vec![0; parents.len()], ..Self::default() };
        (0..).zip(&order.in_file).for_each(|(joint, own)| order.in_model[*own as usize] = joint);
        for (joint, own) in (0..).zip(&order.in_file) {
            let parent = stored[*own as usize].map(|parent| order.in_model[parent as usize]);
            // In a cycle, one joint precedes its parent.
            let parent = parent.filter(|parent| *parent < joint);
            order.broken += usize::from(parent.is_none() && parents[*own as usize] >= 0);
            order.parents.push(parent);
        }
        order
    }

    pub fn warn(&self, about: &str, warnings: &mut Warnings) {
        if self.broken > 0 {
            let message = format!("{} have an impossible parent; they become roots", self.broken);
            warnings.add_fault(Fault::InvalidParent, WarningKind::Substituted, about, message);
        }
    }
}

pub(super) fn read(
    source: &Source,
    header: &Header,
    names: &Names,
    warnings: &mut Warnings,
) -> Result<Joints, LoadError> {
    let (record, stride) = if header.computes_w() { (&JOINTS_1, 44) } else { (&JOINTS, 48) };
    let table = match header.joints.bytes(source, record) {
        Ok(table) => table,
        Err(error) => {
            source.forgive(error, || "the joints are skipped".to_owned())?;
            &[]
        }
    };
    let records: Vec<&[u8; 44]> = table.chunks_exact(stride).filter_map(<[u8]>::first_chunk).collect();
    let order = Order::new(&records.iter().map(|record| i32_at(record, 4)).collect::<Vec<_>>());
    order.warn("joints", warnings);
    let mut joints = Joints { order, ..Joints::default() };
    let mut broken = 0;
    for (index, parent) in joints.order.in_file.iter().zip(&joints.order.parents) {
        let record = table.chunks_exact(stride).nth(*index as usize).unwrap_or_default();
        let name = record.first_chunk().map_or(0, |name| u32::from_le_bytes(*name));
        let name = names.get(name, || format!("joint {index}"), warnings);
        joints.list.push(Joint { name, parent: *parent, bind: JointTransform::IDENTITY, is_added: false });
        let numbers = record.get(8..).unwrap_or_default();
        let (translation, rotation, scale) = if header.computes_w() {
            let [a, b, c, x, y, z, d, e, f] = f32s(numbers);
            ([a, b, c], with_computed_w([x, y, z]), [d, e, f])
        } else {
            let [a, b, c, x, y, z, w, d, e, f] = f32s(numbers);
            ([a, b, c], Quat::from_xyzw(x, y, z, w), [d, e, f])
        };
        let mut sound = |is_sound: bool| {
            broken += usize::from(!is_sound);
            is_sound
        };
        joints.bind.push(LocalTransform {
            translation: if sound(are_usable(&translation)) { Vec3::from(translation) } else { Vec3::ZERO },
            rotation: if sound(are_usable(&rotation.to_array())) { rotation } else { Quat::IDENTITY },
            scale: if sound(are_usable(&scale)) { Vec3::from(scale) } else { Vec3::ONE },
        });
    }
    if broken > 0 {
        let message = counted(
            broken,
            "transform is not finite or beyond a billion; replaced by the identity",
            "transforms are not finite or beyond a billion; replaced by the identity",
        );
        warnings.add(WarningKind::Substituted, "joints", message);
    }
    Ok(joints)
}
