//! The object assets of an archive, and which of them lie in its inventory.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::mem;

use lodger_allowance::{Allowance, Spent};
use uuid::Uuid;

use crate::error::Error;
use crate::item::Item;
use crate::object::Object;
use crate::place::Place;
use crate::problem::Problem;
use crate::told::Told;

/// The object assets of an archive, the items that refer to them, and what is inside others.
#[derive(Debug, Default)]
pub(crate) struct Inventory {
    assets: Vec<Asset>,
    by_id: HashMap<Uuid, usize>,
    items: Vec<(String, Item)>,
    inside: HashSet<Uuid>,
}

/// The objects of an asset, none if it cannot be read.
#[derive(Debug)]
struct Asset {
    id: Option<Uuid>,
    objects: Vec<Object>,
}

/// The objects of an inventory.
#[derive(Debug, Default)]
pub(crate) struct LaidOut {
    /// Those that lie in it, in the order of the items, and those that nothing refers to.
    pub(crate) objects: Vec<Object>,
    /// Those that are inside others only.
    pub(crate) stowed: Vec<Object>,
}

impl Inventory {
    /// Takes the objects of an asset.
    pub(crate) fn add(&mut self, id: Option<Uuid>, objects: Vec<Object>) -> Result<(), Problem> {
        if let Some(id) = id {
            match self.by_id.entry(id) {
                Entry::Vacant(place) => {
                    place.insert(self.assets.len());
                }
                Entry::Occupied(place) => {
                    let earlier = self.assets.get(*place.get());
                    let same = earlier.is_some_and(|earlier| earlier.objects == objects);
                    return if same { Ok(()) } else { Err(Problem::SameObject) };
                }
            }
        }
        self.assets.push(Asset { id, objects });
        Ok(())
    }

    /// Takes an item, and the path of its entry.
    pub(crate) fn refer(&mut self, entry: &str, item: Item) {
        self.items.push((entry.to_owned(), item));
    }

    /// Notes that an asset is inside objects of another.
    pub(crate) fn note_inside(&mut self, asset: Uuid) {
        self.inside.insert(asset);
    }

    /// The objects of all assets, in their order.
    pub(crate) fn into_assets(self) -> Vec<Object> {
        self.assets.into_iter().flat_map(|asset| asset.objects).collect()
    }

    /// Gives every item its objects. Those of an asset that several items refer to are copied while
    /// there is room. Assets that are `missing` are told, if they should be there.
    pub(crate) fn lay_out(
        mut self,
        allowance: &Allowance,
        mut missing: Option<&mut Told>,
    ) -> Result<LaidOut, Spent> {
        let mut laid_out = LaidOut::default();
        let mut users = vec![0_usize; self.assets.len()];
        for (_, item) in &self.items {
            if let Some(&at) = self.by_id.get(&item.asset) {
                users[at] += 1;
            }
        }
        let mut left = users.clone();
        for (entry, item) in mem::take(&mut self.items) {
            let Some(&at) = self.by_id.get(&item.asset) else {
                if let Some(told) = &mut missing {
                    let problem = Problem::MissingObject { id: item.asset };
                    told.add(Error::from(problem).in_entry(&entry));
                }
                continue;
            };
            left[at] -= 1;
            let objects = self.assets[at].lend(left[at] == 0, allowance)?;
            laid_out.objects.extend(objects.into_iter().map(|o| placed(o, &item)));
        }
        for (asset, _) in self.assets.into_iter().zip(users).filter(|(_, users)| *users == 0) {
            let is_inside = asset.id.is_some_and(|id| self.inside.contains(&id));
            let into = if is_inside { &mut laid_out.stowed } else { &mut laid_out.objects };
            into.extend(asset.objects);
        }
        Ok(laid_out)
    }
}

impl Asset {
    /// The objects for one more item: themselves for the last of them, else copies.
    fn lend(&mut self, is_last: bool, allowance: &Allowance) -> Result<Vec<Object>, Spent> {
        if is_last {
            return Ok(mem::take(&mut self.objects));
        }
        allowance.keep(self.objects.iter().map(Object::bytes).sum())?;
        Ok(self.objects.clone())
    }
}

fn placed(object: Object, item: &Item) -> Object {
    Object { place: Place::Inventory { path: item.path.clone() }, owner: item.owner, ..object }
}
