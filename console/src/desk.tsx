import type { Thread } from "@langchain/langgraph-sdk";
import { useCallback, useEffect, useState } from "react";
import { type Decided, decidedBy, type Ended } from "./decided";
import { QuestionCard } from "./question";
import { moment, replyTo, said, useServer, whole } from "./server";
import { type Answer, type Question, settingsToAnswer, type State } from "./state";

const EVERY_MS = 5000;

/** What was decided here, of which thread. */
type Told = Decided & { thread: string; at: number };

/** Everything that waits for a decision, oldest first, under what was just decided here. */
export function Desk({ open }: { open: (thread: string) => void }) {
  const { client } = useServer();
  const [waiting, setWaiting] = useState<Thread<State>[] | null>(null);
  const [decided, setDecided] = useState<Told[]>([]);
  const [error, setError] = useState("");
  const refresh = useCallback(async () => {
    try {
      const found = await client.threads.search<State>({ status: "interrupted", limit: 100, sortBy: "updated_at", sortOrder: "asc" });
      const rows = await Promise.all(found.map((thread) => whole(client, thread)));
      setWaiting(rows.filter((thread) => questionOf(thread)));
      setError("");
    } catch (reason) {
      setError(said(reason));
    }
  }, [client]);
  useEffect(() => {
    void refresh();
    const timer = setInterval(() => document.hidden || void refresh(), EVERY_MS);
    return () => clearInterval(timer);
  }, [refresh]);
  const done = (thread: string, found: Decided | null) => {
    if (found) setDecided((before) => [{ ...found, thread, at: Date.now() }, ...before]);
    void refresh();
  };
  return (
    <section className="desk" aria-label="Desk">
      <div role="status">
        {decided.map((each) => <Outcome key={each.at} told={each} open={open} onRead={() => setDecided((all) => all.filter((other) => other !== each))} />)}
      </div>
      <h2>Waiting for a decision</h2>
      {error && <p role="alert">{error}</p>}
      {waiting?.length === 0 && <p className="hint">Nothing waits.</p>}
      <ol>{waiting?.map((thread) => <Waiting key={thread.thread_id} thread={thread} onDone={(found) => done(thread.thread_id, found)} open={open} />)}</ol>
    </section>
  );
}

export function questionOf(thread: Thread<State>): Question | undefined {
  const value = asked(thread)?.value as Question | undefined;
  return value?.kind === "approval" ? value : undefined;
}

/** What was done, as the conversation was told it, until it is read. */
function Outcome({ told, open, onRead }: { told: Told; open: (thread: string) => void; onRead: () => void }) {
  return (
    <div className={told.isDone ? "notice done" : "notice"}>
      <strong>{told.head}</strong>
      <p className="terms" dir="auto">{told.text}</p>
      <div className="row">
        <button type="button" className="quiet" onClick={() => open(told.thread)}>Open the conversation</button>
        <button type="button" className="quiet" onClick={onRead}>Read</button>
      </div>
    </div>
  );
}

const asked = (thread: Thread<State>) => Object.values(thread.interrupts ?? {}).flat()[0];

function Waiting({ thread, onDone, open }: { thread: Thread<State>; onDone: (found: Decided | null) => void; open: (id: string) => void }) {
  const { client } = useServer();
  const [told, setTold] = useState("");
  const [isSending, setIsSending] = useState(false);
  const question = questionOf(thread);
  if (!question) return null;
  const graph = String(thread.metadata?.graph_id ?? "hotel");
  const roster = typeof question.terms.roster_id === "string" ? question.terms.roster_id : undefined;
  const answer = async (given: Answer) => {
    setIsSending(true);
    try {
      const ended = await client.runs.wait(thread.thread_id, graph, {
        command: { resume: replyTo(asked(thread)?.id, given) },
        context: settingsToAnswer(graph, question),
      });
      onDone(decidedBy(given, question, ended as Ended | null));
    } catch (error) {
      setTold(said(error));
    } finally {
      setIsSending(false);
    }
  };
  return (
    <li>
      <header className="row">
        <span className="tag">{graph === "roster" ? "roster" : question.by_asker ? "the guest answers" : "staff answers"}</span>
        <time dateTime={thread.updated_at}>waits since {moment(thread.updated_at)}</time>
        {roster && <a href={`#rosters/${encodeURIComponent(roster)}`}>Look at the roster</a>}
        <button type="button" className="quiet" onClick={() => open(thread.thread_id)}>Open the conversation</button>
      </header>
      {isSending ? <p role="status">Sending …</p> : <QuestionCard key={question.terms_hash + (question.problem ?? "")} question={question} onAnswer={(given) => void answer(given)} isStaff />}
      {told && <p role="alert">{told}</p>}
    </li>
  );
}
