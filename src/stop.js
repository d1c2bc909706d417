// Tells that the program has stopped, and sees to it that it has (see also stopped.rs).
//
// A fault in WebAssembly is a trap: what was under way is half done in memory, and nothing in there
// can be relied on any more. What was kept is whole, because every write is one transaction, and
// one that is under way is taken back: left alone, a browser would commit the half of it.

const app = document.getElementById("app");
const frame = app.firstElementChild;
const { transaction } = IDBDatabase.prototype;
const underWay = new Set();

IDBDatabase.prototype.transaction = function (...of) {
  const begun = transaction.apply(this, of);
  underWay.add(begun);
  const ended = () => underWay.delete(begun);
  begun.addEventListener("complete", ended);
  begun.addEventListener("abort", ended);
  return begun;
};

// Traps, and what a stack that is full leads to.
function isFault(error) {
  return error instanceof WebAssembly.RuntimeError ||
    error instanceof RangeError || error?.name === "InternalError";
}

// The frame is in its place until the program puts its own page there.
function isStarting() {
  return frame.isConnected;
}

function refuse() {
  throw new DOMException("The program has stopped.", "InvalidStateError");
}

// One that is being committed is whole, and cannot be taken back any more.
function takeBack(begun) {
  try {
    begun.abort();
  } catch {
    underWay.delete(begun);
  }
}

function stop() {
  removeEventListener("error", hear, true);
  removeEventListener("unhandledrejection", hear);
  document.documentElement.dataset.stopped = "";
  IDBDatabase.prototype.transaction = refuse;
  underWay.forEach(takeBack);
  window.fetch = refuse;
  window.stop();
  app.inert = true;
  const notice = document.getElementById(isStarting() ? "not-started" : "stopped");
  notice.hidden = false;
  notice.querySelector("button").addEventListener("click", () => location.reload());
  notice.focus();
}

// A script that cannot be loaded is told as an error of its element.
function hear(event) {
  const error = event.error ?? event.reason;
  const isScript = event.target instanceof HTMLScriptElement;
  if (isFault(error) || (isStarting() && (isScript || error))) {
    stop();
  }
}

addEventListener("error", hear, true);
addEventListener("unhandledrejection", hear);
