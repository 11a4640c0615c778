// The scene of the examples in the documentation, which include this expression: a module of capes at 0.5 µs a vertex, and
// a cape of 0, 400 or 1600 vertices, 2 m from the eye.
{
    fn capes() -> Result<(Scene<f32, 2, 4, 12>, ModuleId, ActorId), SceneError> {
        let mut scene = Scene::new();
        scene.set_eyes(&[[0.0; 3]])?;
        let module = Module::new(UnitCost::from_ns(500.0)?).benefit_value(BenefitValue::from_ms(2.0)?);
        let cloth = scene.add_module(module)?;
        let cape = scene.spawn(cloth, Actor::at([2.0, 0.0, 0.0], 0.8, &[0, 400, 1_600]))?;
        Ok((scene, cloth, cape))
    }
    capes()
}
