//! Measures the kernels stage by stage, in the caches, on one core: each one that this machine can run, compared with
//! memcpy of the same text and with simpler operations. Every result is checked before it is timed.
//!
//! `cargo bench -p gridmill-benches --bench kernels -- decode/v1` runs one stage. Rates count the text read, for encoders the text written.

use std::hint::black_box;

use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main, measurement::WallTime};
use gridmill::engine::{CHUNK_SIZE, Conversion, Worker};
use gridmill::formats::Evidence;
use gridmill::kernels::{self, Decoded, Kernel, Pairs, ROW9, SCALAR, SLACK, Texts};

/// Boards in a batch, and batches: with their codes, texts and output they fit into the second-level cache.
const BOARDS: usize = 64;
const BATCHES: usize = 16;

/// The body of `S9B`.
const S9B: Pairs = Pairs { cells: 81, row: ROW9, max: 529 };

type Group<'a> = BenchmarkGroup<'a, WallTime>;

/// A format: the distance between its records, the position of the cells in a line, and its kernel functions.
struct Stage {
    name: &'static str,
    width: usize,
    header: usize,
    decode: fn(&Kernel, Texts, &mut [u16]) -> Decoded,
    encode: fn(&Kernel, &[u16], &mut [u8], usize),
}

fn good(good: u64) -> Decoded {
    Decoded { good, ..Decoded::default() }
}

static STAGES: [Stage; 4] = [
    Stage {
        name: "v1",
        width: 162,
        header: 0,
        decode: |kernel, texts, codes| (kernel.codecs.decode_v1)(texts, codes),
        encode: |kernel, codes, out, pitch| _ = (kernel.codecs.encode_v1)(codes, out, pitch),
    },
    Stage {
        name: "v2",
        width: 162,
        header: 3,
        decode: |kernel, texts, codes| good((kernel.codecs.decode_pairs36)(texts, S9B, codes)),
        encode: |kernel, codes, out, pitch| (kernel.codecs.encode_pairs36)(codes, S9B, out, pitch),
    },
    Stage {
        name: "offset32",
        width: 162,
        header: 0,
        decode: |kernel, texts, codes| good((kernel.codecs.decode_offset32)(texts, codes)),
        encode: |kernel, codes, out, pitch| (kernel.codecs.encode_offset32)(codes, out, pitch),
    },
    Stage {
        name: "plain",
        width: 81,
        header: 0,
        decode: |kernel, texts, codes| good((kernel.codecs.decode_plain)(texts, codes)),
        encode: |kernel, codes, out, pitch| _ = (kernel.codecs.encode_plain)(codes, out, pitch),
    },
];

const V1: &Stage = &STAGES[0];
const V2: &Stage = &STAGES[1];

impl Stage {
    /// The distance from one line to the next.
    fn pitch(&self) -> usize {
        self.header + self.width + 1
    }

    /// The number of bytes in a batch of lines.
    fn batch_bytes(&self) -> usize {
        BOARDS * self.pitch()
    }

    fn starts(&self) -> Vec<u32> {
        (0..BOARDS).map(|i| (i * self.pitch() + self.header) as u32).collect()
    }

    /// Lines of all boards, written by the scalar kernel, with the slack that encoders need.
    fn lines(&self, codes: &[Codes]) -> Vec<u8> {
        let mut lines = vec![b'\n'; codes.len() * self.batch_bytes() + SLACK];
        for (i, codes) in codes.iter().enumerate() {
            self.write(&SCALAR, codes, &mut lines[i * self.batch_bytes()..]);
        }
        lines
    }

    /// A batch of lines: cells, headers and line ends.
    fn write(&self, kernel: &Kernel, codes: &Codes, out: &mut [u8]) {
        (self.encode)(
            kernel,
            &codes.0,
            &mut out[self.header..][..self.batch_bytes() - self.header + SLACK],
            self.pitch(),
        );
        self.frame(out);
    }

    /// Headers and line ends around the cells of a batch.
    fn frame(&self, out: &mut [u8]) {
        for line in out.chunks_exact_mut(self.pitch()).take(BOARDS) {
            line[..self.header].copy_from_slice(&b"S9B"[..self.header]);
            line[self.pitch() - 1] = b'\n';
        }
    }
}

/// The codes of a batch, aligned as the program has them.
#[derive(Clone)]
#[repr(align(64))]
struct Codes([u16; BOARDS * ROW9]);

impl Codes {
    const EMPTY: Self = Self([0; BOARDS * ROW9]);

    /// Only the cells, since the contents of the padding are unspecified.
    fn cells(&self) -> Vec<&[u16]> {
        self.0.chunks(ROW9).map(|row| &row[..81]).collect()
    }
}

/// Boards in progress: clues, solved cells and candidates, or clues and empty cells only.
fn boards(only_clues: bool) -> Vec<Codes> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move |end: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        ((state >> 16) % end) as u16
    };
    let mut code = || match random(8) {
        _ if only_clues => random(10),
        0..=2 => random(10),
        3..=4 => random(9) + 10,
        _ => 18 + ((random(511) + 1) | 3), // two candidates or more: v1 has no form for one
    };
    (0..BATCHES).map(|_| Codes(std::array::from_fn(|_| code()))).collect()
}

fn boards_of(stage: &Stage) -> Vec<Codes> {
    boards(stage.name == "plain")
}

fn memcpy(group: &mut Group, text: &[u8]) {
    let mut out = vec![0; text.len()];
    group.bench_function("memcpy", |bencher| bencher.iter(|| black_box(&mut out).copy_from_slice(black_box(text))));
}

fn decode(criterion: &mut Criterion) {
    for stage in &STAGES {
        let (boards, starts) = (boards_of(stage), stage.starts());
        let lines = stage.lines(&boards);
        let mut group = criterion.benchmark_group(format!("decode/{}", stage.name));
        group.throughput(Throughput::Bytes((lines.len() - SLACK) as u64));
        memcpy(&mut group, &lines[..lines.len() - SLACK]);
        for kernel in kernels::available() {
            let mut codes = Codes::EMPTY;
            let batch = |i: usize| Texts { bytes: &lines[i * stage.batch_bytes()..], starts: &starts };
            for (i, boards) in boards.iter().enumerate() {
                assert_eq!((stage.decode)(kernel, batch(i), &mut codes.0).good, u64::MAX);
                assert!(codes.cells() == boards.cells(), "{} {}", kernel.name, stage.name);
            }
            group.bench_function(kernel.name, |bencher| {
                bencher.iter(|| {
                    (0..BATCHES).fold(0, |_, i| (stage.decode)(kernel, batch(i), black_box(&mut codes.0)).good)
                })
            });
        }
    }
}

fn encode(criterion: &mut Criterion) {
    for stage in &STAGES {
        let boards = boards_of(stage);
        let lines = stage.lines(&boards);
        let mut group = criterion.benchmark_group(format!("encode/{}", stage.name));
        group.throughput(Throughput::Bytes((lines.len() - SLACK) as u64));
        memcpy(&mut group, &lines[..lines.len() - SLACK]);
        for kernel in kernels::available() {
            let mut out = vec![0; lines.len()];
            let mut all = || {
                for (i, codes) in boards.iter().enumerate() {
                    stage.write(kernel, black_box(codes), &mut out[i * stage.batch_bytes()..]);
                }
                black_box(&mut out);
            };
            all();
            group.bench_function(kernel.name, |bencher| bencher.iter(&mut all));
            assert!(out[..lines.len() - SLACK] == lines[..lines.len() - SLACK], "{} {}", kernel.name, stage.name);
        }
    }
}

/// v1 to v2, both stages: within the caches; from text far larger than the caches into a buffer that is reused, as the
/// program does it; and into memory as large as the text (where each cache line has to be read before it is written,
/// which memcpy avoids).
fn convert(criterion: &mut Criterion) {
    for (name, times, kept) in [("cached", 1, 1), ("stream", 300, 1), ("memory", 300, 300)] {
        let boards = boards_of(V1);
        let once = V1.lines(&boards);
        let from = once[..once.len() - SLACK].repeat(times);
        let starts = V1.starts();
        let want = V2.lines(&boards);
        let mut group = criterion.benchmark_group(format!("v1-to-v2/{name}"));
        group.throughput(Throughput::Bytes(from.len() as u64));
        group.sample_size(if times > 1 { 10 } else { 100 });
        memcpy(&mut group, &from);
        for kernel in kernels::available() {
            let (mut codes, mut out) = (Codes::EMPTY, vec![0; kept * (want.len() - SLACK) + SLACK]);
            let mut all = || {
                let mut good = u64::MAX;
                for (i, lines) in from.chunks_exact(V1.batch_bytes()).enumerate() {
                    // To the end of the text, so that the next bytes can be prefetched.
                    let texts = Texts { bytes: &from[i * V1.batch_bytes()..], starts: &starts };
                    debug_assert!(texts.bytes.starts_with(lines));
                    good &= (V1.decode)(kernel, texts, &mut codes.0).good;
                    V2.write(kernel, &codes, &mut out[i % (kept * BATCHES) * V2.batch_bytes()..]);
                }
                assert_eq!(good, u64::MAX);
                black_box(&mut out);
            };
            all();
            group.bench_function(kernel.name, |bencher| bencher.iter(&mut all));
            assert!(out[..want.len() - SLACK] == want[..want.len() - SLACK], "{}", kernel.name);
            let Some(straight) = kernel.codecs.v1_to_pairs36 else { continue };
            out.fill(0);
            let mut all = || {
                for i in 0..from.len() / V1.batch_bytes() {
                    let texts = Texts { bytes: &from[i * V1.batch_bytes()..], starts: &starts };
                    let out = &mut out[i % (kept * BATCHES) * V2.batch_bytes()..];
                    let bodies = &mut out[V2.header..][..V2.batch_bytes() - V2.header + SLACK];
                    assert!(straight(texts, bodies, V2.pitch()).is_some());
                    V2.frame(out);
                }
                black_box(&mut out);
            };
            all();
            group.bench_function(format!("{}-straight", kernel.name), |bencher| bencher.iter(&mut all));
            assert!(out[..want.len() - SLACK] == want[..want.len() - SLACK], "{} straight", kernel.name);
        }
    }
}

/// Finds, classifies and converts lines and joins the results with the engine's worker, chunk by chunk: everything that
/// a run does between reading and writing.
fn whole(criterion: &mut Criterion) {
    let boards = boards_of(V1);
    let once = V1.lines(&boards);
    let from = once[..once.len() - SLACK].repeat(300);
    let want = V2.lines(&boards);
    let mut group = criterion.benchmark_group("whole/v1-to-v2");
    group.throughput(Throughput::Bytes(from.len() as u64)).sample_size(10);
    memcpy(&mut group, &from);
    let lines = CHUNK_SIZE / V1.pitch() * V1.pitch();
    for kernel in kernels::available() {
        let mut worker = Worker::new(Conversion::default(), kernel);
        let mut all = || {
            let mut records = 0;
            for chunk in from.chunks(lines) {
                worker.begin();
                worker.convert(chunk, &Evidence::default());
                records += worker.outcome.counts.records;
                black_box(worker.outcome.text.as_slice());
            }
            assert_eq!(records, (from.len() / V1.pitch()) as u64);
        };
        all();
        group.bench_function(kernel.name, |bencher| bencher.iter(&mut all));
        worker.begin();
        worker.convert(&once[..once.len() - SLACK], &Evidence::default());
        assert!(worker.outcome.text.as_slice() == &want[..want.len() - SLACK], "{}", kernel.name);
    }
}

/// Hex decoding and line search over the same number of bytes, for comparison. They do not decode boards.
fn rivals(criterion: &mut Criterion) {
    let boards = boards_of(V2);
    let lines = V2.lines(&boards);
    let lines = &lines[..lines.len() - SLACK];
    let mut group = criterion.benchmark_group("rivals");
    group.throughput(Throughput::Bytes(lines.len() as u64));
    memcpy(&mut group, lines);

    group.bench_function("memchr-newlines", |bencher| {
        assert_eq!(memchr::memchr_iter(b'\n', lines).count(), BATCHES * BOARDS);
        bencher.iter(|| memchr::memchr_iter(b'\n', black_box(lines)).fold(0, |sum, at| sum ^ at));
    });

    let hex: Vec<u8> = lines.iter().map(|byte| b"0123456789abcdef"[usize::from(*byte % 16)]).collect();
    let mut out = vec![0; lines.len()];
    group.bench_function("hex-simd-decode", |bencher| {
        let first = hex_simd::decode(&hex, hex_simd::Out::from_slice(&mut out)).expect("hex digits")[0];
        assert_eq!(first, lines[0] % 16 * 16 + lines[1] % 16);
        bencher.iter(|| hex_simd::decode(black_box(&hex), hex_simd::Out::from_slice(&mut out)).map(|out| out.len()));
    });

    let base64: Vec<u8> = vec![b'B'; lines.len() / 4 * 4];
    group.bench_function("base64-simd-decode", |bencher| {
        let standard = base64_simd::STANDARD;
        let bytes = standard.decode(&base64, base64_simd::Out::from_slice(&mut out)).expect("base64 digits");
        assert_eq!(bytes[..3], [0x04, 0x10, 0x41]);
        bencher
            .iter(|| standard.decode(black_box(&base64), base64_simd::Out::from_slice(&mut out)).map(|out| out.len()));
    });

    let mut codes = vec![0; lines.len() / 2];
    group.bench_function("plain-loop-v2-decode", |bencher| {
        assert!(plain_loop(lines, &mut codes));
        assert_eq!(codes[..81], boards[0].0[..81]);
        bencher.iter(|| plain_loop(black_box(lines), black_box(&mut codes)));
    });
}

/// The obvious implementation: `char::to_digit`, cell by cell.
fn plain_loop(lines: &[u8], codes: &mut [u16]) -> bool {
    let digit = |byte: u8| char::from(byte).to_digit(36);
    for (line, codes) in lines.chunks_exact(V2.pitch()).zip(codes.chunks_exact_mut(81)) {
        for (pair, code) in line[V2.header..].chunks_exact(2).zip(codes) {
            let (Some(high), Some(low)) = (digit(pair[0]), digit(pair[1])) else { return false };
            *code = (36 * high + low) as u16;
            if *code > 529 {
                return false;
            }
        }
    }
    true
}

criterion_group!(stages, decode, encode, convert, whole, rivals);
criterion_main!(stages);
