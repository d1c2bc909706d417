//! Bytes to frames, wherever the chunks are cut.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use wire::error::WireError;
use wire::framing::{Frame, FrameReader};
use wire::limits::{LINE_MAX_BYTES, STREAM_MAX_BYTES};

fn read<'a>(chunks: impl IntoIterator<Item = &'a [u8]>) -> Result<Vec<Frame>, WireError> {
    let mut reader = FrameReader::default();
    let mut frames = Vec::new();
    for chunk in chunks {
        frames.extend(reader.feed(chunk)?);
    }
    frames.extend(reader.finish()?);
    Ok(frames)
}

/// Reads the bytes in two parts, cut at each place, and in chunks of every size, and expects the same
/// frames each time.
#[track_caller]
fn check(bytes: impl AsRef<[u8]>, expected: &[(Option<&str>, &[u8])]) {
    let bytes = bytes.as_ref();
    let expected: Vec<_> = expected
        .iter()
        .map(|(event, data)| Frame { event: event.map(str::to_owned), data: data.to_vec() })
        .collect();
    for size in 1..=bytes.len().max(1) {
        assert_eq!(read(bytes.chunks(size)).unwrap(), expected, "in chunks of {size}");
    }
    for (before, after) in (0..=bytes.len()).map(|place| bytes.split_at(place)) {
        assert_eq!(read([before, after]).unwrap(), expected, "cut behind {before:?}");
    }
}

/// The name of a frame, if it has one, and its data.
type Expected = (Option<&'static str>, &'static str);

/// Streams with a line feed at the end of each line, and the frames in them.
const STREAMS: [(&str, &[Expected]); 20] = [
    ("data: 1\n\n", &[(None, "1")]),
    ("data:1\n\n", &[(None, "1")]),
    ("data:  1 \n\n", &[(None, " 1 ")]),
    ("data\n\n", &[(None, "")]),
    ("data:\n\n", &[(None, "")]),
    ("data\ndata\n\n", &[(None, "\n")]),
    ("data: 1\ndata: 2\n\n", &[(None, "1\n2")]),
    ("data: a: b\n\n", &[(None, "a: b")]),
    ("data : 1\n\n", &[]),
    ("DATA: 1\n\n", &[]),
    (": keep-alive\n\ndata: 1\n\n: keep-alive\n\n", &[(None, "1")]),
    ("data: 1\n: between\ndata: 2\n\n", &[(None, "1\n2")]),
    ("event: a\ndata: 1\n\ndata: 2\n\n", &[(Some("a"), "1"), (None, "2")]),
    ("data: 1\nevent: a\n\n", &[(Some("a"), "1")]),
    ("event: a\nevent: b\ndata: 1\n\n", &[(Some("b"), "1")]),
    ("event: a\n\ndata: 1\n\n", &[(None, "1")]),
    ("id: 7\nretry: 10\nother: x\ndata: 1\n\n", &[(None, "1")]),
    ("\n\n\ndata: 1\n\n\n\n", &[(None, "1")]),
    ("data: Grüße \u{1F95A}\n\ndata: 東京\n\n", &[(None, "Grüße \u{1F95A}"), (None, "東京")]),
    ("data: 1\n\ndata: [DONE]", &[(None, "1"), (None, "[DONE]")]),
];

#[test]
fn sixty_streams_are_read_alike_wherever_they_are_cut_and_whatever_ends_their_lines() {
    let mut read_alike = 0;
    for (stream, expected) in STREAMS {
        let expected: Vec<_> =
            expected.iter().map(|(event, data)| (*event, data.as_bytes())).collect();
        for end in ["\n", "\r", "\r\n"] {
            let stream = stream.replace('\n', end);
            check(&stream, &expected);
            check(format!("\u{feff}{stream}"), &expected);
            read_alike += 1;
        }
    }
    assert_eq!(read_alike, 60);
}

#[test]
fn a_line_ends_with_any_of_the_three_line_ends() {
    for end in ["\n", "\r", "\r\n"] {
        let stream = ["event: a", "data: 1", "", "data: 2", "", ""].join(end);
        check(stream, &[(Some("a"), b"1"), (None, b"2")]);
    }
}

#[test]
fn line_ends_may_be_mixed() {
    check("data: 1\r\rdata: 2\n\r\ndata: 3\r\n\n", &[(None, b"1"), (None, b"2"), (None, b"3")]);
}

#[test]
fn one_space_behind_the_colon_is_no_data() {
    check("data:1\n\ndata: 2\n\ndata:  3 \n\n", &[(None, b"1"), (None, b"2"), (None, b" 3 ")]);
}

#[test]
fn data_lines_are_joined_and_a_bare_field_is_an_empty_line() {
    check("data: a\ndata\ndata:\ndata: b\n\n", &[(None, b"a\n\n\nb")]);
}

#[test]
fn comments_ids_retry_times_and_unknown_fields_are_no_frames() {
    check(": keep-alive\n\n:\nid: 7\nretry: 10\nother\n\n", &[]);
    check(": a\ndata: 1\n: b\n\n", &[(None, b"1")]);
}

#[test]
fn an_event_without_data_is_no_frame_and_leaves_no_name_behind() {
    check("event: a\n\ndata: 1\n\n", &[(None, b"1")]);
}

#[test]
fn a_name_loses_its_trailing_spaces() {
    check("event: a  \ndata: 1\n\n", &[(Some("a"), b"1")]);
}

#[test]
fn a_byte_order_mark_counts_only_at_the_very_beginning() {
    check("\u{feff}data: 1\n\n", &[(None, b"1")]);
    check("\u{feff}\ndata: 1\n\n", &[(None, b"1")]);
    check("data: 1\n\n\u{feff}data: 2\n\n", &[(None, b"1")]);
}

#[test]
fn characters_survive_a_cut_and_broken_ones_are_not_repaired() {
    check("data: Grüße, 東京 🥚\n\n", &[(None, "Grüße, 東京 🥚".as_bytes())]);
    check(b"data: \xF0\x9F\n\n", &[(None, b"\xF0\x9F")]);
}

#[test]
fn the_last_blank_line_and_the_last_line_end_may_be_missing() {
    check("data: 1\n", &[(None, b"1")]);
    check("event: a\ndata: 1", &[(Some("a"), b"1")]);
    check("", &[]);
}

#[test]
fn a_page_of_html_is_no_frame() {
    check("<!doctype html>\n<p>502 Bad Gateway\n\n", &[]);
}

#[test]
fn an_endless_line_ends_at_its_bound() {
    let mut reader = FrameReader::default();
    let mut fed = 0;
    let error = loop {
        match reader.feed(&[b'x'; 1000]) {
            Ok(frames) => assert_eq!(frames, []),
            Err(error) => break error,
        }
        fed += 1000;
    };
    assert!(matches!(error, WireError::TooLarge { .. }));
    assert_eq!(fed, LINE_MAX_BYTES / 1000 * 1000);
}

#[test]
fn an_event_of_endless_lines_ends_at_the_same_bound() {
    let lines = "data: x\n".repeat(LINE_MAX_BYTES);
    assert!(matches!(read([lines.as_bytes()]), Err(WireError::TooLarge { .. })));
}

#[test]
fn an_endless_stream_ends_at_its_bound() {
    let mut reader = FrameReader::default();
    let mut fed = 0;
    while reader.feed(b": keep-alive keep-alive keep-alive keep-alive\n\n").is_ok() {
        fed += 47;
        assert!(fed <= STREAM_MAX_BYTES);
    }
    assert!(fed > STREAM_MAX_BYTES - 47);
}
