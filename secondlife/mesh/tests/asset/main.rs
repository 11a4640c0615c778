//! Whole assets: round trips, untrusted input, and findings of lint.
#![allow(clippy::unwrap_used, unreachable_pub)] // a test that meets `None` has failed; modules are private

mod lint;
mod round_trip;
mod untrusted;

mod sample {
    use lodger_mesh_asset::llsd::LlsdValue;
    use lodger_mesh_asset::{
        AssetBlock, AssetBuilder, Domain, Face, Faces, Geometry, Influence, Influences,
        PhysicsConvex, PhysicsCostData, Quantized, Skin, VertexWeights,
    };

    /// A strip of `2·quads` triangles along x, with all optional fields.
    pub fn strip(quads: u16) -> Geometry<'static> {
        let columns = 0..=quads;
        let corners: Vec<[f32; 3]> = columns
            .flat_map(|i| [0.0, 0.5].map(|y| [f32::from(i) / f32::from(quads) - 0.5, y, 0.1]))
            .collect();
        let triangles: Vec<[u16; 3]> = (0..quads)
            .flat_map(|i| [[2 * i, 2 * i + 2, 2 * i + 1], [2 * i + 1, 2 * i + 2, 2 * i + 3]])
            .collect();
        let uv: Vec<_> = corners.iter().map(|&[x, y, _]| [x + 0.5, y]).collect();
        let up = vec![[0.0, 0.0, 1.0]; corners.len()];
        let weights: Vec<_> = (0..corners.len()).map(influences).collect();
        Geometry::new(Quantized::from_points(&corners).unwrap(), &triangles)
            .and_then(|face| face.with_normals(Quantized::in_domain(&up, Domain::NORMAL)))
            .and_then(|face| face.with_tex_coords(Quantized::from_points(&uv)?))
            .and_then(|face| face.with_weights(VertexWeights::new(&weights)))
            .unwrap()
    }

    fn influences(vertex: usize) -> Influences {
        let joints = 0..u8::try_from(vertex % 5).unwrap();
        Influences::new(joints.map(|joint| Influence { joint, weight: 16_000 }))
    }

    pub fn tetrahedron(at: f32) -> Vec<[f32; 3]> {
        vec![[at; 3], [at + 0.2, at, at], [at, at + 0.2, at], [at, at, at + 0.2]]
    }

    pub fn skin() -> Skin<'static> {
        Skin {
            joint_names: vec!["mPelvis".into(), "mTorso".into()],
            bind_shape_matrix: Some([0.25; 16]),
            inverse_bind_matrix: vec![[1.0; 16], [2.0; 16]],
            pelvis_offset: Some(0.1),
            ..Skin::default()
        }
    }

    pub fn cost_data() -> PhysicsCostData {
        PhysicsCostData {
            hull: Some(0.2),
            decomposition: Some(0.4),
            decomposition_hulls: Some(2),
            mesh: Some([0.5; 9]),
            mesh_triangles: Some(4),
            ..PhysicsCostData::default()
        }
    }

    pub fn lod(quads: u16) -> Faces<'static> {
        Faces::new([strip(quads).into(), Face::NoGeometry])
    }

    pub fn convex() -> PhysicsConvex<'static> {
        let hulls = [tetrahedron(0.0), tetrahedron(-0.4)];
        PhysicsConvex::new(&tetrahedron(-0.5), &hulls).unwrap()
    }

    /// A builder of an asset with all blocks and without findings.
    pub fn builder() -> AssetBuilder<'static> {
        let mut builder = AssetBuilder::new();
        let creator = LlsdValue::Uuid([7; 16]);
        let names: LlsdValue = ["cloth", "buttons"].map(LlsdValue::from).into_iter().collect();
        builder
            .set_value("version", 1)
            .set_value("creator", creator)
            .set_value("date", LlsdValue::Date(1.3e9))
            .set_value("material_list", names);
        for (block, quads) in AssetBlock::LODS.into_iter().zip([1, 2, 4, 8]) {
            builder.set_lod(block, &lod(quads)).unwrap();
        }
        builder.set_skin(&skin()).unwrap();
        builder.set_convex(&convex()).unwrap();
        let physics = Faces::new([strip(2).into()]);
        builder.set_lod(AssetBlock::PhysicsMesh, &physics).unwrap();
        builder.set_cost_data(&cost_data()).unwrap();
        builder.set_block("novelty", &LlsdValue::from("new")).unwrap();
        builder
    }

    pub fn file() -> Vec<u8> {
        builder().encode().unwrap()
    }
}
