// The app of the examples in the documentation, which include this expression: 1 ms a frame, 0.5 µs a vertex, and a cape of 0,
// 400 or 1600 vertices, 2 m from the camera.
{
    use bevy_lodger::scheduler::{BenefitValue, Budget, Module, UnitCost};
    use bevy_transform::{TransformPlugin, components::Transform};

    fn app() -> Result<(bevy_app::App, Entity), Box<dyn std::error::Error>> {
        let cloth = Module::new("cloth", UnitCost::from_ns(500.0)?).benefit_value(BenefitValue::from_ms(3.0)?);
        let mut app = bevy_app::App::new();
        app.add_plugins((TransformPlugin, LodgerPlugin::new(Budget::from_ms(1.0)?)));
        app.add_plugins(LodModulePlugin::<Cloth>::new(cloth));
        app.world_mut().spawn((Transform::default(), LodView));
        let cape = LodActor::<Cloth>::new(1.0, &[0, 400, 1_600]);
        let cape = app.world_mut().spawn((Transform::from_xyz(2.0, 0.0, 0.0), cape)).id();
        Ok((app, cape))
    }
    app()
}
