"""The official Python clients, pointed at the proxy: what each makes of a streamed tool call, of an
error and of the list of models. `./test clients` starts what they talk to."""

import json
import os
import sys
import traceback

import anthropic
import ollama
import openai

PROXY = os.environ["PROXY"]
OURS = {"default_headers": {"x-kitchen-assistant": os.environ["TOKEN"]}, "api_key": "none", "max_retries": 0, "timeout": 60}

EGGS = "We are out of eggs, put a dozen on the list."
TOOL = "add_to_shopping_list"
ABOUT = "Adds an item to the shopping list."
ARGUMENTS = {"type": "object", "properties": {"item": {"type": "string"}, "quantity": {"type": "string"}}}
PROPOSED = [(TOOL, {"item": "eggs", "quantity": "12"})]
RESULT = "Added 12 eggs."
WORDS = "A dozen eggs are on the list now."

# All that the clients were given in the case that runs.
given = []


def kept(stream):
    """Each event of a stream, once it is written down."""
    for event in stream:
        given.append(repr(event))
        yield event


# For each protocol: one turn, streamed. It returns the calls proposed and the words, and puts what is
# to be sent with the next turn into the history.


class AnthropicMessages:
    refused, limited, cut = anthropic.AuthenticationError, anthropic.RateLimitError, anthropic.APIError
    unknown = anthropic.NotFoundError

    def __init__(self, upstream="anthropic", model="claude-stand-in"):
        self.client = anthropic.Anthropic(base_url=f"{PROXY}/api/{upstream}", **OURS)
        self.model = model

    def turn(self, history):
        tools = [{"name": TOOL, "description": ABOUT, "input_schema": ARGUMENTS}]
        asked = {"model": self.model, "max_tokens": 1024, "messages": history, "tools": tools}
        with self.client.messages.stream(**asked) as stream:
            for _ in kept(stream):
                pass
            reply = stream.get_final_message()
        calls = [block for block in reply.content if block.type == "tool_use"]
        results = [{"type": "tool_result", "tool_use_id": call.id, "content": RESULT} for call in calls]
        history += [{"role": "assistant", "content": reply.content}, {"role": "user", "content": results}]
        words = "".join(block.text for block in reply.content if block.type == "text")
        return [(call.name, call.input) for call in calls], words

    def models(self):
        return [model.id for model in self.client.models.list()]


class OpenAiChat:
    refused, limited, cut = openai.AuthenticationError, openai.RateLimitError, openai.APIError
    unknown = openai.NotFoundError
    model = "gpt-stand-in"

    def __init__(self):
        self.client = openai.OpenAI(base_url=f"{PROXY}/api/openai/v1", **OURS)

    def turn(self, history):
        tools = [{"type": "function", "function": {"name": TOOL, "description": ABOUT, "parameters": ARGUMENTS}}]
        with self.client.chat.completions.stream(model=self.model, messages=history, tools=tools) as stream:
            for _ in kept(stream):
                pass
            reply = stream.get_final_completion().choices[0].message
        calls = reply.tool_calls or []
        history.append(reply.model_dump(include={"role", "content", "tool_calls"}, exclude_none=True))
        history += [{"role": "tool", "tool_call_id": call.id, "content": RESULT} for call in calls]
        return [(call.function.name, json.loads(call.function.arguments)) for call in calls], reply.content

    def models(self):
        return [model.id for model in self.client.models.list()]


class OpenAiResponses(OpenAiChat):
    def turn(self, history):
        tools = [{"type": "function", "name": TOOL, "description": ABOUT, "parameters": ARGUMENTS}]
        with self.client.responses.stream(model=self.model, input=history, tools=tools, store=False) as stream:
            for _ in kept(stream):
                pass
            reply = stream.get_final_response()
        calls = [item for item in reply.output if item.type == "function_call"]
        history += [item.model_dump(exclude={"parsed_arguments"}, exclude_none=True) for item in reply.output]
        history += [{"type": "function_call_output", "call_id": call.call_id, "output": RESULT} for call in calls]
        return [(call.name, json.loads(call.arguments)) for call in calls], reply.output_text


class OllamaChat:
    refused = limited = cut = ollama.ResponseError
    model = "llama-stand-in"

    def __init__(self):
        self.client = ollama.Client(f"{PROXY}/api/ollama", headers=OURS["default_headers"], timeout=60)

    def turn(self, history):
        tools = [{"type": "function", "function": {"name": TOOL, "description": ABOUT, "parameters": ARGUMENTS}}]
        lines = list(kept(self.client.chat(self.model, history, tools=tools, stream=True)))
        assert lines[-1].done, lines
        calls = [call for line in lines for call in line.message.tool_calls or []]
        words = "".join(line.message.content or "" for line in lines)
        history.append({"role": "assistant", "content": words, "tool_calls": calls})
        history += [{"role": "tool", "tool_name": call.function.name, "content": RESULT} for call in calls]
        return [(call.function.name, dict(call.function.arguments)) for call in calls], words

    def models(self):
        return [model.model for model in self.client.list().models]


def equal(found, expected):
    assert found == expected, f"{found!r} is not {expected!r}"


def failure(client, question, kind):
    """The error that the client has for what happens at this question."""
    try:
        said = client.turn([{"role": "user", "content": question}])
    except kind as error:
        given.append(f"{error} {getattr(error, 'body', '')}")
        if hasattr(error, "response"):
            given.append(repr(list(error.response.headers.items())))
        return error
    raise AssertionError(f"no error, but {said!r}")


def completes_a_tool_call(protocol):
    client, history = protocol(), [{"role": "user", "content": EGGS}]
    equal(client.turn(history)[0], PROPOSED)
    equal(client.turn(history), ([], WORDS))


def knows_a_refused_key(protocol):
    error = failure(protocol(), "Refuse the key.", protocol.refused)
    equal(error.status_code, 401)
    assert "Incorrect key" in str(error), error


def knows_a_rate_limit_and_its_wait(protocol):
    error = failure(protocol(), "Ask me to wait.", protocol.limited)
    equal(error.status_code, 429)
    if hasattr(error, "response"):
        equal(error.response.headers["retry-after"], "7")


def knows_a_cut_stream(protocol):
    error = failure(protocol(), "Break off.", protocol.cut)
    assert "broke off in the middle" in str(error), error
    assert "These words" in "".join(given), given


def knows_a_model_that_the_proxy_does_not_use(protocol):
    client = protocol()
    client.model = "other"
    error = failure(client, EGGS, protocol.unknown)
    assert "is not among those this proxy uses" in str(error), error


def lists_the_models(protocol):
    equal(protocol().models(), ["claude-stand-in", "gpt-stand-in", "llama-stand-in"])


def completes_a_tool_call_of_the_built_in_model(protocol):
    client, history = protocol("builtin", "kitchen-rules"), [{"role": "user", "content": EGGS}]
    equal(client.turn(history)[0], PROPOSED)
    calls, words = client.turn(history)
    equal(calls, [])
    assert "eggs" in words, words


EVERYWHERE = [
    completes_a_tool_call,
    knows_a_refused_key,
    knows_a_rate_limit_and_its_wait,
    knows_a_cut_stream,
]
# Of Ollama, any model may be used.
PAID = [*EVERYWHERE, knows_a_model_that_the_proxy_does_not_use]
CASES = {
    AnthropicMessages: [*PAID, lists_the_models, completes_a_tool_call_of_the_built_in_model],
    OpenAiChat: [*PAID, lists_the_models],
    OpenAiResponses: PAID,
    OllamaChat: [*EVERYWHERE, lists_the_models],
}


def main():
    passed = failed = 0
    for protocol, cases in CASES.items():
        for case in cases:
            given.clear()
            try:
                case(protocol)
                assert "canary" not in "".join(given), f"the key came back: {given}"
                passed += 1
            except Exception:
                failed += 1
                print(f"FAILED Python, {protocol.__name__}: {case.__name__}\n{traceback.format_exc()}")
    print(f"{passed} passed, {failed} failed, 0 skipped")
    sys.exit(failed > 0)


main()
