// Two guests and the staff through the JavaScript SDK: node access.mjs URL ASSISTANT DANA NOA STAFF
// (tokens; the assistant is open to guests, and its bookings are the staff's to approve). Prints one JSON object.
import { Client } from "@langchain/langgraph-sdk";

const [url, assistant, ...tokens] = process.argv.slice(2);
const [dana, noa, staff] = tokens.map(
  (token) => new Client({ apiUrl: url, defaultHeaders: { Authorization: `Bearer ${token}` }, callerOptions: { maxRetries: 0 } }),
);
const nobody = new Client({ apiUrl: url, callerOptions: { maxRetries: 0 } });
const said = (text) => ({ messages: [{ role: "user", content: text }] });
const status = async (work) => {
  try {
    await work();
    return 200;
  } catch (error) {
    return error.status ?? error.response?.status ?? String(error);
  }
};

const { thread_id: thread } = await dana.threads.create();
const asked = await dana.runs.wait(thread, "hotel", { input: said("What time is breakfast?"), context: { language: "en" } });
const refused = {
  nobody: await status(() => nobody.threads.get(thread)),
  another: await status(() => noa.threads.get(thread)),
  run: await status(() => noa.runs.wait(thread, "hotel", { input: said("hello") })),
  context: await status(() => dana.runs.wait(thread, "hotel", { input: said("hello"), context: { max_waves: 1 } })),
  state: await status(() => dana.threads.updateState(thread, { values: { answer: "forged" } })),
  store: await status(() => dana.store.searchItems([])),
  roster: await status(() => dana.runs.wait(null, "roster", { input: said("make the roster") })),
};
const wish = "book a double room for two adults from 10 to 12 March 2027, Dana Levi, dana@example.com";
await dana.runs.wait(thread, assistant, { input: said(wish) });
const answer = { command: { resume: { decision: "approve" } } };
refused.approval = await status(() => dana.runs.wait(thread, assistant, answer));
const waiting = await staff.threads.search({ status: "interrupted", limit: 100 });
const booked = await staff.runs.wait(thread, assistant, answer);
const seen = await dana.threads.getState(thread);
console.log(
  JSON.stringify({
    breakfast: asked.answer,
    refused,
    found: waiting.some((each) => each.thread_id === thread),
    booked: booked.answer,
    seen: seen.values.answer,
  }),
);
