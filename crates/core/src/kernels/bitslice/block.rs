//! Defines blocks: the code around the passes, which is the same for every instruction set.

/// Defines a [`super::Block`] over a type of [`super::Lanes`], compiled entirely for the named instructions, and a
/// function that makes it. The user of the macro must explain why the machine has these instructions: a value of the
/// type is the proof, or a value of the type `$proof`.
macro_rules! block {
    ($block:ident, $lanes:ty $(, proof $proof:ty)? $(, $features:literal)?) => {
        /// A block of this instruction set; its maker had the proof that the machine has it.
        pub(in crate::kernels) struct $block($lanes, Box<$crate::kernels::bitslice::BlockState<$lanes>>);

        const _: () = {
            use $crate::kernels::bitslice::{
                self as slice, BitVector, Bits, Block, BlockState, ExtraHouse, Lanes, NodeFilter, Nodes, Outcomes,
            };

            impl $block {
                /// Makes an empty block for puzzles that have these houses besides rows, columns and boxes.
                pub(in crate::kernels) fn boxed($(_: $proof,)? lanes: $lanes, houses: Vec<ExtraHouse>) -> Box<dyn Block> {
                    Box::new(Self(lanes, Box::new(BlockState::new(lanes.zero(), houses))))
                }
            }

            $(#[target_feature(enable = $features)])?
            fn load_text(v: $lanes, state: &mut BlockState<$lanes>, text: &[u8], pitch: usize) {
                v.load_text(state, text, pitch);
            }

            $(#[target_feature(enable = $features)])?
            fn load_nodes(v: $lanes, state: &mut BlockState<$lanes>, nodes: &Nodes) {
                slice::load_nodes(v, state, nodes);
            }

            $(#[target_feature(enable = $features)])?
            fn run(v: $lanes, state: &mut BlockState<$lanes>, alive: &Bits, fresh: bool) -> Outcomes {
                let (solved, open, progressing) = slice::run(state, v.load(alive), fresh);
                let mut outcomes = Outcomes::default();
                solved.store(&mut outcomes.solved);
                open.store(&mut outcomes.open);
                progressing.store(&mut outcomes.progressing);
                outcomes
            }

            $(#[target_feature(enable = $features)])?
            fn store_nodes(v: $lanes, state: &mut BlockState<$lanes>) {
                slice::store_nodes(v, state);
            }

            $(#[target_feature(enable = $features)])?
            fn collect(v: $lanes, state: &BlockState<$lanes>, bits: &Bits, tags: &[u32], filter: NodeFilter, to: &mut Nodes) {
                slice::collect(v, state, bits, tags, filter, to);
            }

            $(#[target_feature(enable = $features)])?
            fn write_solutions(v: $lanes, state: &BlockState<$lanes>, bits: &Bits, tags: &[u32], to: &mut [[u8; 81]]) {
                slice::write_solutions(v, state, bits, tags, to);
            }

            $(#[target_feature(enable = $features)])?
            fn branch(v: $lanes, nodes: &Nodes, first: &mut Nodes, second: &mut Nodes) {
                slice::branch(v, nodes, first, second);
            }

            $(#[target_feature(enable = $features)])?
            fn pop(v: $lanes, stack: &mut Nodes, batch: &mut Nodes, counts: &[u32], limit: u32) {
                slice::pop(v, stack, batch, counts, limit);
            }

            #[allow(unused_unsafe)] // without features the functions are safe
            impl Block for $block {
                fn lanes(&self) -> usize {
                    <$lanes>::LANES
                }
                fn load_text(&mut self, text: &[u8], pitch: usize) {
                    assert!((<$lanes>::LANES - 1) * pitch + 81 <= text.len(), "a puzzle ends after the text");
                    // SAFETY: a block is made only where the machine has its instructions.
                    unsafe { load_text(self.0, &mut self.1, text, pitch) }
                }
                fn load_nodes(&mut self, nodes: &Nodes) {
                    // SAFETY: as above.
                    unsafe { load_nodes(self.0, &mut self.1, nodes) }
                }
                fn run(&mut self, alive: &Bits, fresh: bool) -> Outcomes {
                    // SAFETY: as above.
                    unsafe { run(self.0, &mut self.1, alive, fresh) }
                }
                fn store_nodes(&mut self) {
                    // SAFETY: as above.
                    unsafe { store_nodes(self.0, &mut self.1) }
                }
                fn set_node(&mut self, node: usize, words: &[u32; slice::WORDS]) {
                    self.1.set_node(node, words);
                }
                fn collect(&self, bits: &Bits, tags: &[u32], filter: NodeFilter, to: &mut Nodes) {
                    // SAFETY: as above.
                    unsafe { collect(self.0, &self.1, bits, tags, filter, to) }
                }
                fn write_solutions(&self, bits: &Bits, tags: &[u32], solutions: &mut [[u8; 81]]) {
                    // SAFETY: as above.
                    unsafe { write_solutions(self.0, &self.1, bits, tags, solutions) }
                }
                fn branch(&self, nodes: &Nodes, first: &mut Nodes, second: &mut Nodes) {
                    // SAFETY: as above.
                    unsafe { branch(self.0, nodes, first, second) }
                }
                fn pop(&self, stack: &mut Nodes, batch: &mut Nodes, counts: &[u32], limit: u32) {
                    // SAFETY: as above.
                    unsafe { pop(self.0, stack, batch, counts, limit) }
                }
            }
        };
    };
}
pub(in crate::kernels) use block;
