//! Threads that wait for their turn, or for a large chunk.

use std::sync::Arc;

use loom::sync::Mutex;
use loom::sync::atomic::{AtomicUsize, Ordering};
use loom::thread;

use crate::large::{Gate, Large};
use crate::order::Turnstile;

#[test]
fn turns_come_in_order() {
    loom::model(|| {
        let turnstile = Arc::new(Turnstile::new(Vec::new()));
        let others: Vec<_> = [2, 1]
            .map(|n| {
                let turnstile = Arc::clone(&turnstile);
                thread::spawn(move || turnstile.wait(n).expect("nobody stops").push(n))
            })
            .into();
        turnstile.wait(0).expect("nobody stops").push(0);
        for other in others {
            other.join().expect("no panic");
        }
        assert_eq!(Arc::into_inner(turnstile).expect("all are done").into_inner(), [0, 1, 2]);
    });
}

#[test]
fn a_stop_wakes_whoever_waits() {
    loom::model(|| {
        let turnstile = Arc::new(Turnstile::new(()));
        // Turn 0 is never taken.
        let waiting = {
            let turnstile = Arc::clone(&turnstile);
            thread::spawn(move || turnstile.wait(1).is_none())
        };
        turnstile.stop();
        assert!(waiting.join().expect("no panic"));
        assert!(turnstile.wait(0).is_none());
    });
}

#[test]
fn a_turn_that_stops_is_the_last() {
    loom::model(|| {
        let turnstile = Arc::new(Turnstile::new(0));
        let others: Vec<_> = [1, 2]
            .map(|n| {
                let turnstile = Arc::clone(&turnstile);
                thread::spawn(move || match turnstile.wait(n) {
                    Some(mut turn) => {
                        *turn += 1;
                        turnstile.stop();
                    }
                    None => assert_eq!(n, 2),
                })
            })
            .into();
        *turnstile.wait(0).expect("nobody has stopped") += 1;
        for other in others {
            other.join().expect("no panic");
        }
        assert_eq!(Arc::into_inner(turnstile).expect("all are done").into_inner(), 2);
    });
}

/// As in the source: a thread that finds a large chunk while another one is in progress releases the source and waits.
#[test]
fn only_one_large_chunk_in_progress() {
    loom::model(|| {
        let gate = Arc::new(Gate::default());
        let source = Arc::new(Mutex::new(()));
        let held = Arc::new(AtomicUsize::new(0));
        let work = |gate: Arc<Gate>, source: Arc<Mutex<()>>, held: Arc<AtomicUsize>| {
            move || {
                let large = loop {
                    let source = source.lock().expect("no panic");
                    if !gate.is_closed() {
                        break Large::take(&gate);
                    }
                    drop(source);
                    gate.wait();
                };
                assert_eq!(held.fetch_add(1, Ordering::Relaxed), 0, "two large chunks are out");
                held.fetch_sub(1, Ordering::Relaxed);
                drop(large);
            }
        };
        let other = thread::spawn(work(Arc::clone(&gate), Arc::clone(&source), Arc::clone(&held)));
        work(Arc::clone(&gate), source, held)();
        other.join().expect("no panic");
        assert!(!gate.is_closed());
    });
}

#[test]
fn an_open_gate_lets_everybody_pass() {
    loom::model(|| {
        let gate = Arc::new(Gate::default());
        let _kept = Large::take(&gate);
        let waiting: Vec<_> = [(); 2]
            .map(|()| {
                let gate = Arc::clone(&gate);
                thread::spawn(move || gate.wait())
            })
            .into();
        gate.open();
        for waiting in waiting {
            waiting.join().expect("no panic");
        }
    });
}
