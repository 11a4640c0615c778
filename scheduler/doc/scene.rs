// The scene of the examples in the documentation, as the crate page shows it.
{
    use lodger_scheduler::{Actor, BenefitValue, Budget, Module, Scene, UnitCost, View};

    let mut scene = Scene::<f32>::new(Budget::from_ms(2.0)?);
    let camera = scene.add_view(View::from_position([0.0, 0.0, 0.0])?)?;
    let cloth = Module::new("cloth", UnitCost::from_ns(500.0)?).benefit_value(BenefitValue::from_ms(3.0)?);
    let cloth = scene.add_module(cloth)?;
    let vertices = [0, 400, 2_400];
    let near = scene.spawn(cloth, Actor::at([2.0, 0.0, 0.0], 1.0, &vertices).key(1))?;
    let far = scene.spawn(cloth, Actor::at([0.0, 5.0, 0.0], 1.0, &vertices).key(2))?;
    (scene, near, far, cloth, camera)
}
