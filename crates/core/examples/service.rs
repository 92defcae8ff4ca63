//! A web service: a string in, JSON out. `cargo run --release -p gridmill-core --example service`, and then
//! `curl http://127.0.0.1:8000/4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......`

use std::io::{BufRead, BufReader, Read, Result, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

use gridmill_core::{Format, Reject, Solution, read, solve, validate, write};
use serde_json::{Value, json};

/// The most bytes of a request's first line.
const MAX_LINE: u64 = 64 << 10;

/// What a string is, what breaks its rules, and its solution.
fn answer(string: &str) -> std::result::Result<Value, Reject> {
    let board = read(string)?;
    let problems: Vec<String> = validate(&board).iter().map(ToString::to_string).collect();
    let (solutions, solution) = match solve(&board) {
        Solution::Unique(digits) => (json!("one"), json!(digits)),
        Solution::Several(_) => (json!("several"), Value::Null),
        Solution::None => (json!("none"), Value::Null),
        _ => (Value::Null, Value::Null), // undecided, or the rules are not defined
    };
    Ok(json!({
        "kind": board.kind().to_string(), "side": board.side(), "v2": write(&board, Format::V2)?,
        "problems": problems, "solutions": solutions, "solution": solution,
    }))
}

/// A part of an address without its escapes, such as `%7C`.
fn unescaped(text: &str) -> String {
    let mut parts = text.split('%');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        match part.get(..2).map(|digits| u8::from_str_radix(digits, 16)) {
            Some(Ok(byte)) => bytes.extend([&[byte], &part.as_bytes()[2..]].concat()),
            _ => bytes.extend([b"%", part.as_bytes()].concat()),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Answers `GET /STRING`.
fn serve(mut stream: TcpStream) -> Result<()> {
    let mut line = String::new();
    BufReader::new(&stream).take(MAX_LINE).read_line(&mut line)?;
    let string = line.strip_prefix("GET /").and_then(|rest| rest.split(' ').next()).map(unescaped);
    let (status, body) = match string.map(|string| answer(&string)) {
        Some(Ok(found)) => ("200 OK", found),
        Some(Err(reject)) => {
            let cell = reject.cell.map(|cell| cell.to_string());
            let refused = json!({ "code": reject.code.name(), "cell": cell, "message": reject.message });
            ("422 Unprocessable Content", refused)
        }
        None => ("400 Bad Request", json!({ "message": "GET /STRING" })),
    };
    let body = body.to_string();
    let length = body.len();
    write!(stream, "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n")?;
    write!(stream, "Connection: close\r\n\r\n{body}")
}

fn main() -> Result<()> {
    let listener = TcpListener::bind("127.0.0.1:8000")?;
    println!("http://{}", listener.local_addr()?);
    for stream in listener.incoming() {
        let stream = stream?;
        thread::spawn(move || serve(stream).unwrap_or_else(|error| eprintln!("{error}")));
    }
    Ok(())
}
