//! How much memory a reply takes that does not end, in every protocol. One test, since it counts what
//! the whole program takes.
#![allow(clippy::panic, reason = "a test that cannot go on has failed")]

use peak_alloc::PeakAlloc;
use wire::error::WireError;
use wire::protocol::Protocol;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

const SENT_BYTES: usize = 10_000_000;
const READ_BYTES_MAX: usize = 300_000;
const CALL_MEMORY_MAX: usize = 5_000_000;
const LINE_MEMORY_MAX: usize = 2_000_000;

/// How a call begins whose arguments are a list of numbers, and a kilobyte more of it.
fn numbers(protocol: Protocol) -> (&'static str, String) {
    let more = "1,".repeat(500);
    match protocol {
        Protocol::Anthropic => (
            "data: {\"type\":\"message_start\",\"message\":{\"id\":\"m\",\"role\":\"assistant\",\
             \"usage\":{\"input_tokens\":1}}}\n\ndata: {\"type\":\"content_block_start\",\"index\":0,\
             \"content_block\":{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"add\",\"input\":{}}}\n\n",
            format!(
                "data: {{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{{\
                 \"type\":\"input_json_delta\",\"partial_json\":\"{more}\"}}}}\n\n"
            ),
        ),
        Protocol::OpenAiChat => (
            "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"t\",\
             \"type\":\"function\",\"function\":{\"name\":\"add\",\"arguments\":\"\"}}]}}]}\n\n",
            format!(
                "data: {{\"choices\":[{{\"index\":0,\"delta\":{{\"tool_calls\":[{{\"index\":0,\
                 \"function\":{{\"arguments\":\"{more}\"}}}}]}}}}]}}\n\n"
            ),
        ),
        Protocol::OpenAiResponses => (
            "data: {\"type\":\"response.output_item.added\",\"output_index\":0,\"item\":{\
             \"type\":\"function_call\",\"id\":\"fc\",\"call_id\":\"t\",\"name\":\"add\",\
             \"arguments\":\"\",\"status\":\"in_progress\"}}\n\n",
            format!(
                "data: {{\"type\":\"response.function_call_arguments.delta\",\"item_id\":\"fc\",\
                 \"output_index\":0,\"delta\":\"{more}\"}}\n\n"
            ),
        ),
        Protocol::Ollama => (
            "{\"message\":{\"role\":\"assistant\",\"content\":\"\",\"tool_calls\":[{\"function\":{\
             \"name\":\"add\",\"arguments\":{\"a\":[",
            more,
        ),
    }
}

/// Feeds a stream until it is refused: how much of it was read, and the most memory that took.
fn refused(protocol: Protocol, start: &str, more: &str) -> (usize, usize) {
    let mut decoder = protocol.decoder();
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let (mut read, mut next) = (0, start);
    while read < SENT_BYTES {
        read += next.len();
        match decoder.feed(next.as_bytes()) {
            Ok(_) => next = more,
            Err(WireError::TooLarge { .. }) => return (read, MEMORY.peak_usage() - before),
            Err(error) => panic!("{protocol:?}: {error}"),
        }
    }
    panic!("{protocol:?} read {read} bytes")
}

#[test]
fn a_reply_of_ten_megabytes_takes_little_memory_before_it_is_refused() {
    for protocol in Protocol::ALL {
        let (start, more) = numbers(protocol);
        let (read, memory) = refused(protocol, start, &more);
        println!(
            "{protocol:?}: arguments without end: {read} bytes read, {memory} bytes of memory"
        );
        assert!(read <= READ_BYTES_MAX && memory <= CALL_MEMORY_MAX, "{protocol:?}");
        let start = if protocol == Protocol::Ollama { "{\"model\":\"" } else { "data: {\"id\":\"" };
        let (read, memory) = refused(protocol, start, &"x".repeat(1_000));
        println!("{protocol:?}: a line without end: {read} bytes read, {memory} bytes of memory");
        assert!(read <= READ_BYTES_MAX && memory <= LINE_MEMORY_MAX, "{protocol:?}");
    }
}
