// The official clients from npm, pointed at the proxy: what each makes of a streamed tool call, of an
// error and of the list of models. `./test clients` starts what they talk to.
"use strict";

const assert = require("node:assert/strict");
const Anthropic = require("@anthropic-ai/sdk");
const OpenAI = require("openai");

const { PROXY, TOKEN } = process.env;

const EGGS = "We are out of eggs, put a dozen on the list.";
const TOOL = "add_to_shopping_list";
const ABOUT = "Adds an item to the shopping list.";
const ARGUMENTS = { type: "object", properties: { item: { type: "string" }, quantity: { type: "string" } } };
const PROPOSED = [[TOOL, { item: "eggs", quantity: "12" }]];
const RESULT = "Added 12 eggs.";
const WORDS = "A dozen eggs are on the list now.";

// All that the clients were given in the case that runs, as it came.
let given = "";

async function listening(...asked) {
  const answer = await fetch(...asked);
  given += JSON.stringify([...answer.headers]);
  const text = new TextDecoder();
  const written = new TransformStream({
    transform(piece, on) {
      given += text.decode(piece, { stream: true });
      on.enqueue(piece);
    },
  });
  return new Response(answer.body.pipeThrough(written), answer);
}

const OURS = {
  apiKey: "none",
  defaultHeaders: { "x-kitchen-assistant": TOKEN },
  fetch: listening,
  maxRetries: 0,
  timeout: 60_000,
};

// For each protocol: one turn, streamed. It gives the calls proposed and the words, and puts what is to
// be sent with the next turn into the history.

class AnthropicMessages {
  static errors = Anthropic;

  constructor(upstream = "anthropic", model = "claude-stand-in") {
    this.client = new Anthropic({ baseURL: `${PROXY}/api/${upstream}`, ...OURS });
    this.model = model;
  }

  async turn(history) {
    const tools = [{ name: TOOL, description: ABOUT, input_schema: ARGUMENTS }];
    const asked = { model: this.model, max_tokens: 1024, messages: history, tools };
    const { content } = await this.client.messages.stream(asked).finalMessage();
    const calls = content.filter((block) => block.type === "tool_use");
    const results = calls.map(({ id }) => ({ type: "tool_result", tool_use_id: id, content: RESULT }));
    history.push({ role: "assistant", content }, { role: "user", content: results });
    const words = content.filter((block) => block.type === "text").map((block) => block.text);
    return [calls.map(({ name, input }) => [name, input]), words.join("")];
  }
}

class OpenAiChat {
  static errors = OpenAI;
  client = new OpenAI({ baseURL: `${PROXY}/api/openai/v1`, ...OURS });
  model = "gpt-stand-in";

  async turn(history) {
    const tools = [{ type: "function", function: { name: TOOL, description: ABOUT, parameters: ARGUMENTS } }];
    const asked = { model: this.model, messages: history, tools };
    const [{ message }] = (await this.client.chat.completions.stream(asked).finalChatCompletion()).choices;
    const { content, tool_calls: calls = [] } = message;
    history.push({ role: "assistant", content, ...(calls.length && { tool_calls: calls }) });
    history.push(...calls.map(({ id }) => ({ role: "tool", tool_call_id: id, content: RESULT })));
    return [calls.map((call) => [call.function.name, JSON.parse(call.function.arguments)]), content];
  }
}

class OpenAiResponses extends OpenAiChat {
  async turn(history) {
    const tools = [{ type: "function", name: TOOL, description: ABOUT, parameters: ARGUMENTS }];
    const asked = { model: this.model, input: history, tools, store: false };
    const { output, output_text: words } = await this.client.responses.stream(asked).finalResponse();
    const calls = output.filter((item) => item.type === "function_call");
    history.push(...output.map(({ parsed_arguments: _, ...item }) => item));
    history.push(...calls.map(({ call_id }) => ({ type: "function_call_output", call_id, output: RESULT })));
    return [calls.map((call) => [call.name, JSON.parse(call.arguments)]), words];
  }
}

// The error that the client has for what happens at this question.
async function failure(client, question, kind) {
  const error = await client.turn([{ role: "user", content: question }]).then(
    (said) => assert.fail(`no error, but ${JSON.stringify(said)}`),
    (error) => error,
  );
  assert.ok(error instanceof kind, error);
  return error;
}

async function completesAToolCall(Protocol) {
  const [client, history] = [new Protocol(), [{ role: "user", content: EGGS }]];
  assert.deepEqual((await client.turn(history))[0], PROPOSED);
  assert.deepEqual(await client.turn(history), [[], WORDS]);
}

async function knowsARefusedKey(Protocol) {
  const error = await failure(new Protocol(), "Refuse the key.", Protocol.errors.AuthenticationError);
  assert.equal(error.status, 401);
  assert.match(error.message, /Incorrect key/);
}

async function knowsARateLimitAndItsWait(Protocol) {
  const error = await failure(new Protocol(), "Ask me to wait.", Protocol.errors.RateLimitError);
  assert.deepEqual([error.status, error.headers.get("retry-after")], [429, "7"]);
}

async function knowsACutStream(Protocol) {
  const error = await failure(new Protocol(), "Break off.", Protocol.errors.APIError);
  assert.match(error.message, /broke off in the middle/);
  assert.match(given, /These words/);
}

async function knowsAModelThatTheProxyDoesNotUse(Protocol) {
  const client = new Protocol();
  client.model = "other";
  const error = await failure(client, EGGS, Protocol.errors.NotFoundError);
  assert.match(error.message, /is not among those this proxy uses/);
}

async function listsTheModels(Protocol) {
  const models = [];
  for await (const model of new Protocol().client.models.list()) models.push(model.id);
  assert.deepEqual(models, ["claude-stand-in", "gpt-stand-in", "llama-stand-in"]);
}

async function completesAToolCallOfTheBuiltInModel(Protocol) {
  const [client, history] = [new Protocol("builtin", "kitchen-rules"), [{ role: "user", content: EGGS }]];
  assert.deepEqual((await client.turn(history))[0], PROPOSED);
  const [calls, words] = await client.turn(history);
  assert.deepEqual(calls, []);
  assert.match(words, /eggs/);
}

const EVERYWHERE = [
  completesAToolCall,
  knowsARefusedKey,
  knowsARateLimitAndItsWait,
  knowsACutStream,
  knowsAModelThatTheProxyDoesNotUse,
];
const CASES = [
  [AnthropicMessages, [...EVERYWHERE, listsTheModels, completesAToolCallOfTheBuiltInModel]],
  [OpenAiChat, [...EVERYWHERE, listsTheModels]],
  [OpenAiResponses, EVERYWHERE],
];

async function main() {
  let [passed, failed] = [0, 0];
  for (const [Protocol, cases] of CASES) {
    for (const holds of cases) {
      given = "";
      try {
        await holds(Protocol);
        assert.ok(!given.includes("canary"), `the key came back: ${given}`);
        passed += 1;
      } catch (error) {
        failed += 1;
        console.log(`FAILED JavaScript, ${Protocol.name}: ${holds.name}\n${error.stack}`);
      }
    }
  }
  console.log(`${passed} passed, ${failed} failed, 0 skipped`);
  process.exitCode = failed > 0 ? 1 : 0;
}

main();
