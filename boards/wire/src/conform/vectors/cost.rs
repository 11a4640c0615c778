//! Questions about costs and links.

use super::super::backend::Number;
use super::super::cost::{
    AssetQuestion, BodyQuestion, HULLS, LinksetQuestion, PARTS, PartQuestion, PhysicsQuestion,
    SimulatorQuestion, StreamingQuestion,
};
use super::super::linking::{PRIMS, PrimQuestion};
use super::super::question::Question;
use super::Source;

impl<N: Number> Source<'_, N> {
    /// Any of them; those that search are asked less often.
    pub(super) fn cost(&mut self) -> Question {
        match self.random.below(32) {
            0..6 => Question::Streaming(StreamingQuestion {
                asset: self.asset(),
                kind: self.random.byte(3),
                root: self.random.percent(50),
                cost_scalar: self.any(2.0),
            }),
            6..9 => Question::Room { asset: self.asset(), limit: self.any(50.0) },
            9..14 => Question::Physics(self.triangles()),
            14..19 => Question::Body(self.body()),
            19..23 => Question::Simulator(SimulatorQuestion {
                parameters: [(); 4].map(|()| self.any(4.0)),
                objects: self.count(300),
                active: self.random.percent(50),
                scripts: self.count(2_000),
                free_script: self.random.percent(50),
                streaming: self.any(100.0),
            }),
            23..28 => Question::LandImpact(self.linkset()),
            _ => Question::Linking(self.prims()),
        }
    }

    fn asset(&mut self) -> AssetQuestion {
        AssetQuestion {
            rules: self.random.byte(3),
            radius: self.any(120.0),
            bytes: [2_000, 8_000, 40_000, 200_000].map(|most| self.bytes(most)),
        }
    }

    fn bytes(&mut self, most: u32) -> i32 {
        match self.random.below(12) {
            0 => 0,
            1 => self.random.word().cast_signed(),
            _ => self.random.below(most).cast_signed(),
        }
    }

    /// A number of things, now and then a senseless one.
    fn count(&mut self, most: u32) -> u32 {
        if self.random.percent(95) { self.random.below(most) } else { self.random.word() }
    }

    fn triangles(&mut self) -> PhysicsQuestion {
        PhysicsQuestion {
            corners: [[(); 3]; 6].map(|corner| corner.map(|()| self.position(4.0))),
            scale: [(); 3].map(|()| self.any(20.0)),
        }
    }

    fn body(&mut self) -> BodyQuestion {
        let hulls = if self.random.percent(50) { 0 } else { self.random.up_to(HULLS) };
        let vertices = |source: &mut Self| u16::from(source.random.byte(250)) + 4;
        BodyQuestion {
            // Shapes of its own are given to half of them.
            solid: self.random.byte(18),
            altered: self.random.percent(50),
            hull: vertices(self),
            hulls: (0..hulls).map(|_| vertices(self)).collect(),
            mesh: self.random.percent(50).then(|| self.triangles()),
            cost_data: self.random.percent(30).then(|| {
                [(); 2].map(|()| self.random.percent(70).then(|| self.random.sound::<N>(40.0)))
            }),
            shape: self.random.byte(3),
            at_rest: self.random.percent(70).then(|| self.random.byte(10)),
        }
    }

    fn linkset(&mut self) -> LinksetQuestion {
        let parts = self.random.up_to(PARTS);
        LinksetQuestion {
            parts: (0..parts)
                .map(|_| PartQuestion {
                    kind: self.random.byte(3),
                    shape: self.random.byte(3),
                    streaming: self.any(30.0),
                    physics: self.any(30.0),
                })
                .collect(),
            size: [(); 3].map(|()| self.random.sound::<N>(30.0)),
            physical: self.random.percent(50),
            scripts: self.count(100),
            free_script: self.random.percent(50),
        }
    }

    /// Prims that are mostly near enough, and now and then one that makes no sense.
    fn prims(&mut self) -> heapless::Vec<PrimQuestion, PRIMS> {
        let prims = self.random.up_to(PRIMS);
        let reach = if self.random.percent(50) { 12.0 } else { 40.0 };
        (0..prims)
            .map(|_| {
                let sound = self.random.percent(95);
                let length = |source: &mut Self, scale| {
                    if sound { source.random.signed::<N>(scale) } else { source.any(scale) }
                };
                let position = [(); 3].map(|()| length(self, reach));
                let scale = [(); 3].map(|()| self.random.sound::<N>(12.0));
                PrimQuestion { position, scale }
            })
            .collect()
    }
}
