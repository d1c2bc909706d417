//! What `--help` prints.

/// How the program is used: every option, variable and setting.
pub const USAGE: &str = "\
Usage: proxy [--port N] [--page-port N] [--dist DIR] [--config FILE]

  --port N        listen on 127.0.0.1 and ::1 at this port (default 8787; 0 takes a free one)
  --page-port N   also let in the page that `trunk serve` serves at this port (default 8080,
                  where no page is served from a folder)
  --dist DIR      serve the built page from this folder
  --config FILE   read settings from this file; the command line and the environment go before it

Environment:
  ANTHROPIC_API_KEY    the key for Claude
  ANTHROPIC_MODELS     the models of Claude the page may use, separated by commas
  ANTHROPIC_BASE_URL   another address that speaks the Anthropic protocol
  OPENAI_API_KEY       the key for OpenAI
  OPENAI_MODELS        the models of OpenAI the page may use, separated by commas
  OPENAI_BASE_URL      another address that speaks the OpenAI protocols, with its /v1
  OLLAMA_HOST          where Ollama answers (default 127.0.0.1:11434)
  OLLAMA_API_KEY       a key for it, where it asks for one
  OLLAMA_PLAIN_HTTP    true lets it be another machine without https, where others can read along

Without a key the built-in model answers, and Ollama where it runs.

The file is TOML. All of it can be left out. With a key in it, nobody else may be able to read it
(chmod 600).

  port = 8787
  page_port = 8080
  dist = \"dist\"                    # seen from the file

  [anthropic]                      # and so [openai] and [ollama]
  api_key = \"…\"
  models = [\"claude-sonnet-5-5\"]   # Ollama without it: whatever the server has
  base_url = \"https://api.anthropic.com\"

  [ollama]
  plain_http = true                # as OLLAMA_PLAIN_HTTP

  [limits]
  streams = 8                      # replies that may stream at once
  connections = 128                # open connections; if left out, 120 more than streams
  max_tokens = 16384               # the longest reply a request may ask for
  body_bytes = 1000000             # the largest request
  reply_bytes = 16000000           # the largest reply
  connect_seconds = 10             # to reach the upstream
  idle_seconds = 60                # silence of the upstream
  total_seconds = 600              # a whole reply";
