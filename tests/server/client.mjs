// One request through the JavaScript SDK: node client.mjs URL TEXT [GRAPH]
import { Client } from "@langchain/langgraph-sdk";

const [url, text, graph = "hotel"] = process.argv.slice(2);
const client = new Client({ apiUrl: url });
const thread = await client.threads.create();
const run = client.runs.stream(thread.thread_id, graph, {
  input: { messages: [{ role: "user", content: text }] },
  context: { today: "2026-11-20" },
  streamMode: ["custom", "values"],
});
let answer;
for await (const { event, data } of run) {
  if (event === "custom") console.log(data.event);
  if (event === "values") answer = data.answer;
}
console.log(answer);
