//! Instances as the ledger sees them: books over columns.

use lodger_core::Benefit;
use lodger_core::budget::{
    Account, Bid, Book, Certificate, Decision, LadderSpan, Ladders, Last, MadeFor, Policy, Quality,
    Request, Room, Slope, Slopes, Stability, Standing, Trial, certify, decide,
};
use lodger_core::units::{BenefitValue, Budget};
use lodger_tests::knapsack::Instance;

/// One module's columns, and which actor each row is.
#[derive(Default)]
struct Module {
    spans: Vec<LadderSpan>,
    costs: Vec<u32>,
    qualities: Vec<Quality>,
    slopes: Vec<Slope>,
    made_for: MadeFor,
    ladder: Vec<u32>,
    benefits: Vec<Benefit>,
    ids: Vec<u32>,
    levels: Vec<u8>,
    last: Vec<Last>,
    assigned: u64,
}

/// A scene that is decided again and again.
pub(crate) struct Books {
    modules: Vec<Module>,
    pub(crate) standing: Standing,
    pub(crate) stability: Stability,
    pub(crate) max_raises: Option<u32>,
    fixed: u64,
    actors: usize,
}

impl Books {
    /// The actors in an order, and their modules in the order of their numbers or from the last.
    pub(crate) fn new(instance: &Instance, order: &[usize], reversed: bool) -> Self {
        let mut modules: Vec<Module> = (0..instance.modules).map(|_| Module::default()).collect();
        for &index in order {
            let actor = &instance.actors[index];
            modules[actor.module].add(index, actor);
        }
        if reversed {
            modules.reverse();
        }
        Self {
            modules,
            standing: Standing::default(),
            stability: Stability::OFF,
            max_raises: None,
            fixed: instance.fixed,
            actors: instance.actors.len(),
        }
    }

    /// The actors in their order.
    pub(crate) fn of(instance: &Instance) -> Self {
        let order: Vec<usize> = (0..instance.actors.len()).collect();
        Self::new(instance, &order, false)
    }

    fn request(&self, budget: u64, policy: Policy) -> Request {
        Request {
            budget: Budget::from_ns(budget),
            fixed: self.fixed,
            policy,
            stability: self.stability,
            max_raises: self.max_raises,
            ..Request::default()
        }
    }

    /// Decides.
    pub(crate) fn decide(&mut self, budget: u64, policy: Policy, trials: usize) -> Decision {
        let request = self.request(budget, policy);
        let mut books: Vec<Book<'_>> = self.modules.iter_mut().map(Module::book).collect();
        let room = Room {
            bids: &mut vec![Bid::default(); self.actors],
            trials: &mut vec![Trial::default(); trials],
        };
        let decision = decide(&request, &mut self.standing, &mut books[..], room);
        let after: Vec<(MadeFor, u64)> =
            books.iter().map(|book| (book.slopes.made_for, book.assigned)).collect();
        for (module, (made_for, assigned)) in self.modules.iter_mut().zip(after) {
            (module.made_for, module.assigned) = (made_for, assigned);
        }
        decision
    }

    /// What the levels are worth and could be.
    pub(crate) fn certify(&mut self, budget: u64) -> Certificate {
        let request = self.request(budget, Policy::default());
        let mut books: Vec<Book<'_>> = self.modules.iter_mut().map(Module::book).collect();
        certify(&request, &mut books[..])
    }

    /// Each actor's level by its id, from its lowest.
    pub(crate) fn levels(&self, instance: &Instance) -> Vec<usize> {
        let mut levels = vec![0; self.actors];
        for module in &self.modules {
            for (&id, &level) in module.ids.iter().zip(&module.levels) {
                let lowest = instance.actors[id as usize].lowest;
                levels[id as usize] = usize::from(level - lowest);
            }
        }
        levels
    }

    /// Takes the levels as those that were shown.
    pub(crate) fn remember(&mut self) {
        for module in &mut self.modules {
            module.last = module.levels.iter().map(|&level| Last::automatic(level)).collect();
        }
    }

    /// Changes what each actor was shown at.
    pub(crate) fn set_last(&mut self, last: impl Fn(u32) -> Last) {
        for module in &mut self.modules {
            module.last = module.ids.iter().map(|&id| last(id)).collect();
        }
    }

    /// Changes levels without the ledger.
    pub(crate) fn set_levels(&mut self, level: impl Fn(u32) -> u8) {
        for module in &mut self.modules {
            module.levels = module.ids.iter().map(|&id| level(id)).collect();
        }
    }

    /// Changes benefits.
    pub(crate) fn set_benefits(&mut self, benefit: impl Fn(u32) -> u32) {
        for module in &mut self.modules {
            module.benefits =
                module.ids.iter().map(|&id| Benefit::from_bits(benefit(id))).collect();
        }
    }

    /// What the modules say that their actors cost.
    pub(crate) fn assigned(&self) -> u64 {
        self.modules.iter().map(|module| module.assigned).sum()
    }
}

impl Module {
    fn add(&mut self, index: usize, actor: &lodger_tests::knapsack::Actor) {
        let qualities: Vec<Quality> =
            actor.qualities.iter().map(|&bits| Quality::from_bits(bits)).collect();
        let ladder = self.find(actor.lowest, &actor.costs, &qualities).unwrap_or_else(|| {
            let start = u32::try_from(self.costs.len()).expect("few");
            let len = u16::try_from(actor.costs.len()).expect("few");
            self.spans.push(LadderSpan::new(start, len, actor.lowest));
            self.costs.extend(&actor.costs);
            self.qualities.extend(&qualities);
            self.spans.len() - 1
        });
        self.ladder.push(u32::try_from(ladder).expect("few"));
        self.benefits.push(Benefit::from_bits(actor.benefit));
        self.ids.push(u32::try_from(index).expect("few"));
        self.levels.push(0);
        self.slopes.resize(self.costs.len(), Slope::default());
    }

    /// A ladder that another actor has.
    fn find(&self, lowest: u8, costs: &[u32], qualities: &[Quality]) -> Option<usize> {
        let mut start = 0;
        (0..self.spans.len()).find(|&index| {
            let len = self.ladder_len(index);
            let here = start..start + len;
            start += len;
            self.spans[index]
                == LadderSpan::new(
                    here.start.try_into().expect("few"),
                    len.try_into().expect("few"),
                    lowest,
                )
                && self.costs[here.clone()] == *costs
                && self.qualities[here] == *qualities
        })
    }

    fn ladder_len(&self, index: usize) -> usize {
        let ladders = Ladders { spans: &self.spans, costs: &self.costs };
        ladders.ladder(u32::try_from(index).expect("few")).costs().len()
    }

    fn book(&mut self) -> Book<'_> {
        Book {
            account: Account {
                benefit_value: BenefitValue::from_ns(1_000_000),
                continuous: false,
                ladders: Ladders { spans: &self.spans, costs: &self.costs },
                ladder: &self.ladder,
                benefits: &self.benefits,
            },
            ids: &self.ids,
            levels: &mut self.levels,
            fractions: &mut [],
            qualities: &self.qualities,
            slopes: Slopes { of_costs: &mut self.slopes, made_for: self.made_for },
            last: &self.last,
            assigned: self.assigned,
            ..Book::default()
        }
    }
}
