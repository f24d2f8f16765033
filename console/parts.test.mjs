// Parts of the page that need no browser.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createServer } from "vite";

let server;
let decidedBy;

before(async () => {
  server = await createServer({ configFile: false, logLevel: "error", optimizeDeps: { noDiscovery: true }, server: { middlewareMode: true, ws: false } });
  ({ decidedBy } = await server.ssrLoadModule("/src/decided.ts"));
});

after(async () => {
  await server?.close();
});

const question = { call: "book", tool: "create_booking" };
const yes = { decision: "approve" };
const ended = (status, more) => ({ answer: "The answer.", results: { look: { tool: "quote_stay", status: "ok" }, book: { tool: "create_booking", status, ...more } } });

test("a yes is told to be done, with what the conversation was told", () => {
  assert.deepEqual(decidedBy(yes, question, ended("ok")), { head: "Done.", isDone: true, text: "The answer." });
});

test("a yes that could not be carried out is told why", () => {
  assert.deepEqual(decidedBy(yes, question, ended("error")), { head: "Not done.", isDone: false, text: "The answer." });
  const silent = { ...ended("error", { error: { message: "sold out" } }), answer: "" };
  assert.equal(decidedBy(yes, question, silent).text, "sold out");
});

test("a no is told as one", () => {
  assert.equal(decidedBy({ decision: "reject" }, question, ended("error")).head, "Turned down.");
  assert.equal(decidedBy({ decision: "reject", changes: {} }, question, ended("ok")).head, "Done.");
});

test("nothing is told while it is still asked about, and all while another call is", () => {
  assert.equal(decidedBy(yes, { ...question, call: "edited" }, { ...ended("ok"), __interrupt__: [{}] }), null);
  assert.equal(decidedBy(yes, question, { ...ended("ok"), __interrupt__: [{}] }).head, "Done.");
});
