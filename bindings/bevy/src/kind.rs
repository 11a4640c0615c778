//! What a module is to the type system.

use bevy_reflect::TypePath;

/// A module as a type, so that queries for one cannot be mistaken for another's: any type that has a path.
///
/// # Examples
/// ```
/// use bevy_lodger::LodModule;
/// use bevy_reflect::TypePath;
///
/// #[derive(TypePath)]
/// struct Cloth;
///
/// fn is_module<M: LodModule>() {}
/// is_module::<Cloth>();
/// ```
pub trait LodModule: TypePath + Send + Sync + 'static {}

impl<T: TypePath + Send + Sync + 'static> LodModule for T {}

/// Writes what `derive` would ask of `M` as well: the marker itself needs nothing.
macro_rules! plain {
    (copy $name:ident { $($field:ident),* }) => {
        impl<M: $crate::LodModule> Copy for $name<M> {}

        impl<M: $crate::LodModule> Clone for $name<M> {
            fn clone(&self) -> Self {
                *self
            }
        }

        $crate::kind::plain!(seen $name { $($field),* });
    };
    ($name:ident { $($field:ident),* }) => {
        impl<M: $crate::LodModule> Clone for $name<M> {
            fn clone(&self) -> Self {
                Self { $($field: self.$field.clone(),)* module: std::marker::PhantomData }
            }
        }

        $crate::kind::plain!(seen $name { $($field),* });
    };
    (seen $name:ident { $($field:ident),* }) => {
        impl<M: $crate::LodModule> PartialEq for $name<M> {
            fn eq(&self, other: &Self) -> bool {
                let _ = other;
                true $(&& self.$field == other.$field)*
            }
        }

        impl<M: $crate::LodModule> std::fmt::Debug for $name<M> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let name = format!("{}<{}>", stringify!($name), M::short_type_path());
                f.debug_struct(&name)$(.field(stringify!($field), &self.$field))*.finish()
            }
        }
    };
}
pub(crate) use plain;
