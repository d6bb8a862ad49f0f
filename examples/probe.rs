use maquette::{formats, info::Report, pose::*};
fn main() {
    for path in std::env::args().skip(1) {
        let bytes = std::fs::read(&path).unwrap();
        let t = std::time::Instant::now();
        match formats::load(&bytes) {
            Ok((m, w)) => {
                let dt = t.elapsed();
                let mut p = Pose::default();
                sample(&m, &Sampling::default(), &mut p);
                let t = std::time::Instant::now();
                sample(&m, &Sampling::at(FrameBlend::at_frame(0.5)), &mut p);
                eprintln!("{path}: load {dt:?} sample {:?}", t.elapsed());
                println!("{}", Report::new(&m, &p, &w, &path));
            }
            Err(e) => eprintln!("{path}: {e}"),
        }
    }
}
