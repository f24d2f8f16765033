import type { Message } from "@langchain/langgraph-sdk";
import type { AnswerCheck, ModelUse, ValidationIssue, Wavegraph } from "../../app/serving/declarations/agent";

export type Event = Wavegraph["event"];
export type Question = Wavegraph["question"];
export type Answer = Wavegraph["answer"];

/** The part of a thread's state that the page shows (`docs/running/server.md`). */
export interface State extends Record<string, unknown> {
  messages: Message[];
  outcome?: string | null;
  issues?: ValidationIssue[];
  adaptations?: number;
  waves?: number;
  answer_check?: AnswerCheck;
  usage?: Record<string, ModelUse>;
  ledger?: Ledger;
}

export interface Ledger {
  calls: Record<string, { id: string; tool: string; instead_of?: string | null }>;
  outcomes: Record<string, Outcome>;
  artifacts: Record<string, unknown>;
}

interface Outcome {
  tool: string;
  args: Record<string, unknown>;
  status: Status;
  data: unknown;
  error: { code: string; message: string } | null;
  runs: number;
  wave: number;
  elapsed_s: number;
  signature: string;
}

export type Status = "ok" | "partial" | "error" | "timeout" | "skipped" | "cancelled" | "running" | "planned";

/** One call, as the timeline draws it. */
export interface Call {
  key: string;
  tool: string;
  wave: number;
  status: Status;
  args: Record<string, unknown>;
  result?: unknown;
  error?: string | null;
  seconds: number;
  /** Its result comes from the request before. */
  reused: boolean;
  progress?: Record<string, unknown>;
}

/** Of a request that has ended: from the thread's state. */
export function storedCalls(ledger: Ledger | undefined): Call[] {
  const calls = Object.values(ledger?.outcomes ?? {}).map((outcome) => ({
    key: outcome.signature,
    tool: outcome.tool,
    wave: outcome.wave,
    status: outcome.status,
    args: outcome.args,
    result: artifact(outcome.data, ledger),
    error: outcome.error?.message,
    seconds: outcome.elapsed_s,
    reused: outcome.runs === 0 && outcome.status === "ok",
  }));
  return calls.sort((one, other) => one.wave - other.wave);
}

function artifact(data: unknown, ledger: Ledger | undefined): unknown {
  const key = (data as { artifact?: unknown } | null)?.artifact;
  return typeof key === "string" ? (ledger?.artifacts[key] ?? data) : data;
}

/** Of a request that runs: from its events. */
export function liveCalls(events: Event[]): Call[] {
  const calls = new Map<string, Call>();
  for (const event of events) {
    if (event.event === "tool_started") {
      const { id: key, tool, wave, args } = event;
      calls.set(key, { key, tool, wave, args, status: "running", seconds: 0, reused: false });
    } else if (event.event === "tool_progress") {
      const running = [...calls.values()].findLast((call) => call.tool === event.tool && call.status === "running");
      if (running) calls.set(running.key, { ...running, progress: event.progress });
    } else if (event.event === "tool_finished") {
      const call = calls.get(event.id) ?? {
        key: event.id, tool: event.tool, wave: 0, args: {}, seconds: 0, reused: false,
      };
      calls.set(event.id, { ...call, status: event.status, error: event.error, seconds: event.elapsed_s });
    }
  }
  return [...calls.values()];
}

/** What went wrong, and the tools that were then tried in its place. */
export function detours(state: State): { issue: ValidationIssue; tried: string[] }[] {
  const calls = Object.values(state.ledger?.calls ?? {});
  return (state.issues ?? []).map((issue) => ({
    issue,
    tried: [...new Set(calls.filter((call) => call.instead_of === issue.tool_id).map((call) => call.tool))],
  }));
}

/** The roster that the answer names, else the last that was made. */
export function presentedRoster(state: State): string | undefined {
  const made = storedCalls(state.ledger)
    .filter((call) => call.tool === "generate_roster")
    .map((call) => (call.result as { roster_id?: unknown } | null)?.roster_id)
    .filter((id) => typeof id === "string");
  const answer = textOf(state.messages?.at(-1));
  return made.findLast((id) => answer.includes(id)) ?? made.at(-1);
}

/** A ward manager's answer goes on with the settings that the request had; a guest may give none. */
export const settingsToAnswer = (graph: string, question: Question | undefined) =>
  graph === "roster" ? question?.settings : undefined;

export function textOf(message: Message | undefined): string {
  if (!message) return "";
  if (typeof message.content === "string") return message.content;
  return message.content.map((part) => ("text" in part ? part.text : "")).join("");
}

export const words = (name: string) => name.replaceAll("_", " ");
