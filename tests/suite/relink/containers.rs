//! Links in containers that store the lengths of their contents: they stay and are listed. Links beside what is counted are
//! rewritten, and so are those in text that mentions lengths.

use std::io;

use gridmill::engine::{Convert, RejectsTo};
use gridmill::framing::Links;
use gridmill::output::Target;
use gridmill::source::{Input, Reading};

use super::{S, v1};
use crate::support::{Few, PLAIN, Shared, v2};

/// Fills in a template: `<N>` is the length of what is between the next `{` and `}`, which are left out; `<X>` is the same
/// number in hexadecimal, `<W>` in a column, and `@` a link.
fn filled(template: &str, link: &str) -> String {
    let text = template.replace('@', link);
    let mut parts = text.split('{');
    let mut out = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let (counted, rest) = part.split_once('}').expect("a bracket");
        let length = counted.len();
        out = out.replace("<N>", &length.to_string()).replace("<X>", &format!("{length:x}"));
        out = out.replace("<W>", &format!("{length:<10}"));
        out.push_str(counted);
        out.push_str(rest);
    }
    out
}

const PAGE: &str = "<html>\n<a href='@'>a puzzle</a>\n</html>\n";

/// Containers, in which `~` is a page with a link.
const CONTAINERS: &[&str] = &[
    "WARC/1.0\r\nWARC-Type: response\r\nContent-Length: <N>\r\n\r\n{HTTP/1.1 200 OK\r\n\r\n~}\r\n\r\n",
    "WARC/1.1\r\nWARC-Type: warcinfo\r\nContent-Length: <N>\r\n\r\n{a: b\r\n}\r\n\r\nWARC/1.1\r\ncontent-length:<N>\r\n\r\n{~}\r\n\r\n",
    "filedesc://a.arc 0.0.0.0 20200101000000 text/plain <N>\n{1 0 x\n}\nhttp://a.example/ 1.2.3.4 20200101000000 text/html <N>\n{~}\n",
    "blob\nmark :1\ndata <N>\n{~}\nreset refs/heads/main\n",
    "feature done\nreset refs/heads/main\ncommit refs/heads/main\ndata <N>\n{see @\n}M 100644 inline a\ndata 2\nhi\n",
    "SVN-fs-dump-format-version: 2\n\nUUID: 1\n\nNode-path: gone\nNode-action: delete\n\n\n\
     Node-path: page.html\nText-content-length: <N>\nContent-length: <N>\n\n{~}\n\n",
    "K 3\nurl\nV <N>\n{~}\nEND\n",
    "From a at example.org Thu Jan  1 00:00:00 1970\nSubject: x\n\nno length here\n\n\
     From b at example.org Thu Jan  1 00:00:00 1970\nSubject: y\nContent-Length: <N>\n\n{~}\n",
    "Return-Path: <a at example.org>\nReceived: from b\n\tby c\nCONTENT-LENGTH: <N>\n\n{~}",
    "Content-Length: <N>\r\n\r\n{[1]}Content-Length: <N>\r\nContent-Type: x\r\n\r\n{[\"~\"]}",
    "POST /page HTTP/1.1\r\nHost: a.example\r\nContent-Length: <N>\r\n\r\n{~}",
    "HTTP/1.1 301 Moved\r\nContent-Length: 0\r\n\r\nHTTP/2 200 \r\ncontent-length: <N>\r\n\r\n{~}",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n<X>\r\n{~}\r\n0\r\n\r\n",
    "HTTP/1.1 206 Partial\r\nContent-Type: multipart/byteranges; boundary=b\r\n\r\n--b\r\nContent-Length: <N>\r\n\r\n{~}\r\n--b--\r\n",
    "*2\r\n$6\r\nSELECT\r\n$1\r\n0\r\n*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$<N>\r\n{~}\r\n",
    "$<N>\r\n{~}\r\n",
    "set key 0 900 <N>\r\n{~}\r\n",
    "VALUE key 0 <N>\r\n{~}\r\nEND\r\n",
    "+3,<N>:url->{~}\n+1,1:a->b\n\n",
    "!<arch>\na.html/         0           0     0     644     <W>`\n{~}",
    "d3:url<N>:{~}e",
    "li7e<N>:{~}e",
    "<N>:{~},",
    "3:abc,<N>:{~},4:more,",
];

/// The containers with this page.
fn containers(page: &str) -> impl Iterator<Item = String> {
    let link = format!("{S}?bd={}", v1());
    CONTAINERS.iter().map(move |template| filled(&template.replace('~', page), &link))
}

#[test]
fn links_in_counted_contents_stay_and_are_listed() {
    for text in containers(PAGE) {
        for text in [text.clone(), format!("\n\n{text}")] {
            let done = Links::default().text(text.as_bytes());
            assert!(done.text.is_none() && done.left.len() == 1, "{text}\n{:?}", done.left);
            let why = done.left[0].reject.to_string();
            assert!(why.contains("length"), "{why}");
        }
    }
}

/// What is true of a text is true of its pieces.
#[test]
fn pieces_of_containers_are_followed() {
    // Longer than most pieces.
    let page = ["a line of text\n".repeat(300).as_str(), PAGE].concat();
    // (A netstring is recognised as a whole.)
    let texts =
        containers(PAGE).chain(containers(&page)).filter(|text| !text.starts_with(|c: char| c.is_ascii_digit()));
    for text in texts {
        let whole = Links::default().text(text.as_bytes());
        for size in [1, 40, 1000] {
            let (output, rejects) = (Shared::default(), Shared::default());
            let reader = Box::new(Few(io::Cursor::new(text.clone().into_bytes()), 100));
            Convert::new(Target::Writer { name: "memory".into(), writer: Box::new(output.clone()) })
                .input(Input::Reader { name: "text".into(), reader })
                .framing(Box::new(Links::default()))
                .rejects(RejectsTo::Writer(Box::new(rejects.clone())))
                .reading(Reading::Auto)
                .chunk_size(size)
                .threads(2)
                .run()
                .expect("a run");
            assert_eq!(output.text().as_bytes(), whole.text.as_deref().unwrap_or(text.as_bytes()), "{size}");
            assert_eq!(rejects.text().lines().count(), 1 + whole.left.len(), "{size}: {text}");
        }
    }
}

#[test]
fn links_that_nothing_counts_are_rewritten() {
    let (old, new) = (format!("{S}?bd={}", v1()), format!("{S}?bd={}", v2(PLAIN)));
    let page = |text: &str| text.replace('~', PAGE);
    for text in [
        // Pages and texts that mention lengths.
        "<pre>\nHTTP/1.1 200 OK\nContent-Length: 1234\n\n</pre>\n~",
        "# Notes\n\nHTTP/1.1 200 OK\nContent-Length: 1234\n\n~",
        "A server says:\n\nContent-Length: 500\n\n~",
        "Title: Lengths\n\nA header:\nContent-Length: 900\n\n~",
        "Note: the header\nis Content-Length: 900\n\n~",
        "-- a dump\nINSERT INTO t VALUES ('Content-Length: 900\\r\\n\\r\\n', '@');",
        "{\"headers\": \"Content-Length: 900\", \"url\": \"@\"}",
        "data 300\n~",
        "commit messages\ndata 900\n~",
        "$300\n~",
        "* 300\n~",
        "*3\n$300\n~",
        "d4: the pawn @",
        "l300: @",
        "At 12:30, see @, and more,",
        "Puzzle 300: @, 400: x,",
        // Containers without lengths, and text beside what is counted.
        "From a at example.org Thu Jan  1 00:00:00 1970\nSubject: x\n\nContent-Length: 900\n\n~\nFrom b\nSubject: y\n\n~",
        "Subject: x\n\nContent-Length: 900\n\n~",
        "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n~",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi\r\nHTTP/1.1 200 OK\r\n\r\n~",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n~",
        "blob\ndata <<EOF\n~\nEOF\n",
        "From a\nContent-Length: 3\n\nhi\n\nFrom b\nSubject: y\n\n~",
        "Content-Length: 6\n\nhello\n\n~",
    ] {
        let before = page(text).replace('@', &old);
        let done = Links::default().text(before.as_bytes());
        let after = done.text.map(|text| String::from_utf8(text).expect("text"));
        assert_eq!(after, Some(page(text).replace('@', &new)), "{:?}", done.left);
        assert!(done.left.is_empty(), "{text}: {:?}", done.left);
    }
}
