//! Closed parametric surfaces and how they become triangles.
//!
//! Every part of the figure is one sheet: a position for each `around` (0 to 1, once round the part) and `along` (0 to 1,
//! from one end to the other). The texture painter uses the same function, so paint and form always agree.

use std::collections::HashMap;
use std::f64::consts::TAU;
use std::rc::Rc;

use glam::{DVec2, DVec3};

/// A position for `around` and `along`, both 0 to 1.
pub type PointFn = Rc<dyn Fn(f64, f64) -> DVec3>;

/// A parametric surface and the rows and columns at which it is cut into triangles.
#[derive(Clone)]
pub struct Sheet {
    pub point: PointFn,
    /// Number of columns.
    pub columns: usize,
    /// The rows' `along`, rising.
    pub rows: Vec<f64>,
    pub layout: Layout,
}

/// Layout of a sheet in its chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Around from left to right, along from top to bottom; the seam has vertices on both edges.
    Turn,
    /// Like the first, but for half the turn: both halves share the texels. Needs an even number of columns.
    Fold,
    /// As seen from above the pole at the start: for caps, which a turn would tear apart.
    Disc,
}

impl Layout {
    /// The place in the chart, 0 to 1 both ways.
    pub fn chart(self, around: f64, along: f64) -> DVec2 {
        match self {
            Self::Turn => DVec2::new(around, along),
            Self::Fold => DVec2::new(1.0 - (2.0 * around - 1.0).abs(), along),
            Self::Disc => 0.5 + 0.5 * along * DVec2::from_angle(around * TAU),
        }
    }

    /// The place on the sheet (around, along) that a place in the chart shows.
    pub fn sheet(self, chart: DVec2) -> (f64, f64) {
        match self {
            Self::Turn => (chart.x, chart.y),
            Self::Fold => (chart.x / 2.0, chart.y),
            Self::Disc => {
                let out = 2.0 * chart - 1.0;
                ((out.y.atan2(out.x) / TAU).rem_euclid(1.0), out.length().min(1.0))
            }
        }
    }
}

/// A vertex of a cut sheet.
pub struct GridVertex {
    pub position: DVec3,
    pub normal: DVec3,
    /// Place in the part's chart, 0 to 1 both ways.
    pub chart: DVec2,
    /// The `along` it was cut at.
    pub along: f64,
}

/// A sheet cut into triangles, clockwise seen from outside.
pub struct Grid {
    pub vertices: Vec<GridVertex>,
    pub triangles: Vec<[usize; 3]>,
    /// +1 if around × along points out of the closed sheet, −1 if into it.
    pub outward: f64,
}

impl Sheet {
    pub fn new(columns: usize, rows: &[f64], point: impl Fn(f64, f64) -> DVec3 + 'static) -> Self {
        Self { point: Rc::new(point), columns, rows: rows.to_vec(), layout: Layout::Turn }
    }

    /// Sets the layout.
    pub fn laid_out(self, layout: Layout) -> Self {
        Self { layout, ..self }
    }

    /// Returns the sheet mirrored at the plane y = 0.
    pub fn mirrored(&self) -> Self {
        let point = self.point.clone();
        Self { point: Rc::new(move |a, v| point(a, v) * DVec3::new(1.0, -1.0, 1.0)), ..self.clone() }
    }

    /// Returns the sheet with about half the triangles.
    pub fn coarse(&self) -> Self {
        let columns = (self.columns * 7 / 10).max(6).min(self.columns) / 2 * 2;
        let last = self.rows.len() - 1;
        let keep = |i: usize| i == 0 || i == last || last <= 3 || (last - i) % 2 == 1;
        let rows = (0..=last).filter(|&i| keep(i)).map(|i| self.rows[i]).collect();
        Self { columns, rows, ..self.clone() }
    }

    /// The surface normal by finite differences; `outward` is the sign that [`Grid::outward`] returns.
    pub fn normal(&self, around: f64, along: f64, outward: f64) -> DVec3 {
        let step = 2e-3;
        let (low, high) = ((along - step).max(0.0), (along + step).min(1.0));
        let across = (self.point)(around + step, along) - (self.point)(around - step, along);
        let down = (self.point)(around, high) - (self.point)(around, low);
        (across.cross(down) * outward).normalize_or_zero()
    }

    /// Cuts the sheet into triangles with smooth normals.
    pub fn cut(&self) -> Grid {
        let mut vertices: Vec<GridVertex> = Vec::new();
        let mut rows: Vec<Vec<usize>> = Vec::new();
        for &along in &self.rows {
            let first = (self.point)(0.0, along);
            let pole =
                (1..self.columns).all(|j| first.distance((self.point)(j as f64 / self.columns as f64, along)) < 1e-6);
            // A pole has a vertex per column, each in the middle of its triangle's strip of the chart. Only a turn's
            // last column is not its first again: its seam needs both edges of the chart.
            let count = if pole || self.layout != Layout::Turn { self.columns } else { self.columns + 1 };
            let mut row: Vec<usize> = (vertices.len()..vertices.len() + count).collect();
            for j in 0..count {
                let around = (j as f64 + if pole { 0.5 } else { 0.0 }) / self.columns as f64;
                let position = if pole { first } else { (self.point)(around, along) };
                let chart = self.layout.chart(around, along);
                vertices.push(GridVertex { position, normal: DVec3::ZERO, chart, along });
            }
            let wrapped = row[if pole { self.columns - 1 } else { 0 }];
            if row.len() == self.columns {
                row.push(wrapped);
            }
            rows.push(row);
        }
        let mut triangles = Vec::new();
        for pair in rows.windows(2) {
            for j in 0..self.columns {
                let [a, b, c, d] = [pair[0][j], pair[0][j + 1], pair[1][j + 1], pair[1][j]];
                // The shorter diagonal; where both are alike, mirrored in the second half, so that faces stay symmetric.
                let length = |i: usize, k: usize| vertices[i].position.distance(vertices[k].position);
                let bias = if 2 * j < self.columns { 1e-6 } else { -1e-6 };
                let halves =
                    if length(a, c) < length(b, d) + bias { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] };
                for triangle in halves {
                    let [p, q, r] = triangle.map(|i| vertices[i].position);
                    if (q - p).cross(r - p).length() > 1e-9 {
                        triangles.push(triangle);
                    }
                }
            }
        }
        let mut grid = Grid { vertices, triangles, outward: -1.0 };
        grid.turn_outward();
        grid.smooth_normals();
        grid.drop_unused();
        grid
    }
}

impl Grid {
    /// Reverses all triangles if they enclose the part counter-clockwise.
    fn turn_outward(&mut self) {
        let sum: DVec3 = self.vertices.iter().map(|vertex| vertex.position).sum();
        let centre = sum / self.vertices.len() as f64;
        let mut volume = 0.0;
        for triangle in &self.triangles {
            let [a, b, c] = triangle.map(|i| self.vertices[i].position - centre);
            volume += a.dot(b.cross(c));
        }
        if volume > 0.0 {
            self.triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
            self.outward = 1.0;
        }
    }

    /// Sums the faces' normals, by the angle each takes up, over all vertices at the same place.
    fn smooth_normals(&mut self) {
        let key = |p: DVec3| (p * 1e5).round().to_array().map(|x| x as i64);
        let mut sums: HashMap<[i64; 3], DVec3> = HashMap::new();
        for triangle in &self.triangles {
            let p = triangle.map(|i| self.vertices[i].position);
            let normal = (p[2] - p[0]).cross(p[1] - p[0]).normalize_or_zero();
            for k in 0..3 {
                let (to_next, to_last) = (p[(k + 1) % 3] - p[k], p[(k + 2) % 3] - p[k]);
                *sums.entry(key(p[k])).or_default() += normal * to_next.angle_between(to_last);
            }
        }
        for vertex in &mut self.vertices {
            vertex.normal = sums.get(&key(vertex.position)).copied().unwrap_or_default().normalize_or(DVec3::Z);
        }
    }

    /// Drops vertices that no triangle uses: every second one of a pole, for example.
    fn drop_unused(&mut self) {
        let mut used = vec![false; self.vertices.len()];
        self.triangles.iter().flatten().for_each(|&i| used[i] = true);
        let mut next = 0;
        let renumbered: Vec<usize> = (used.iter())
            .map(|&is_used| {
                next += usize::from(is_used);
                next.saturating_sub(1)
            })
            .collect();
        let mut index = 0;
        self.vertices.retain(|_| {
            index += 1;
            used[index - 1]
        });
        self.triangles.iter_mut().flatten().for_each(|i| *i = renumbered[*i]);
    }
}
