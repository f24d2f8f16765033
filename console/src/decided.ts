import type { Answer, Question } from "./state";

/** What became of a decision, for whoever made it. */
export interface Decided {
  head: string;
  isDone: boolean;
  /** What the conversation was told: the number of a booking, or why not. */
  text: string;
}

/** The part of a run's result that tells it. */
export interface Ended extends Record<string, unknown> {
  answer?: string | null;
  results?: Record<string, { tool: string; status: string; error?: { message: string } | null }>;
  __interrupt__?: unknown[];
}

/** null = nothing is decided yet: it is asked about again. */
export function decidedBy(given: Answer, question: Question, ended: Ended | null | undefined): Decided | null {
  if (ended?.__interrupt__?.length && !ended.results?.[question.call]) return null;
  const call = Object.values(ended?.results ?? {}).filter((each) => each.tool === question.tool).at(-1);
  const text = ended?.answer?.trim() || call?.error?.message || "What came of it stands in the conversation.";
  if (given.decision === "reject" && !given.changes) return { head: "Turned down.", isDone: true, text };
  const isDone = call?.status === "ok" || call?.status === "partial";
  return { head: isDone ? "Done." : "Not done.", isDone, text };
}
