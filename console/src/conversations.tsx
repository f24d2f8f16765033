import type { Thread } from "@langchain/langgraph-sdk";
import { useCallback, useEffect, useState } from "react";
import { Conversation } from "./conversation";
import { said, useServer, whole } from "./server";
import { type State, textOf, words } from "./state";

const PAGE = 30;
const AGENTS = { hotel: "Hotel desk", roster: "Nurse rosters" };
export type Agent = keyof typeof AGENTS;

interface Props {
  thread: string;
  open: (id: string) => void;
  openRoster: (id: string) => void;
}

export function Conversations({ thread, open, openRoster }: Props) {
  const [agent, setAgent] = useState<Agent>("hotel");
  const list = useThreads();
  const known = list.threads.find((one) => one.thread_id === thread);
  const spoken = known?.metadata?.graph_id;
  const shown = spoken === "roster" || spoken === "hotel" ? spoken : agent;
  const [begun, setBegun] = useState<Record<string, string>>({}); // the key under which a thread was begun: it goes on there
  const key = begun[thread] ?? (thread || `new ${agent} ${Object.keys(begun).length}`);
  return (
    <div className="two-columns">
      <aside aria-label="Conversations">
        <div className="row">
          <label>
            Agent{" "}
            <select value={shown} onChange={(event) => { setAgent(event.target.value as Agent); open(""); }}>
              {Object.entries(AGENTS).map(([name, title]) => <option key={name} value={name}>{title}</option>)}
            </select>
          </label>
          <button type="button" onClick={() => { setAgent(shown); open(""); }}>New</button>
        </div>
        <ThreadList {...list} current={thread} open={open} />
      </aside>
      <Conversation
        key={key}
        agent={shown}
        thread={thread || null}
        onThread={(id) => { setBegun({ ...begun, [id]: key }); open(id); list.refresh(); }}
        onChange={list.refresh}
        openRoster={openRoster}
      />
    </div>
  );
}

interface Threads {
  threads: Thread<State>[];
  error: string;
  more: (() => void) | null;
  refresh: () => void;
}

function useThreads(): Threads {
  const { client } = useServer();
  const [threads, setThreads] = useState<Thread<State>[]>([]);
  const [error, setError] = useState("");
  const [shown, setShown] = useState(PAGE);
  const refresh = useCallback(() => {
    client.threads.search<State>({ limit: shown + 1, sortBy: "updated_at", sortOrder: "desc" }).then(
      async (found) => { setThreads(await Promise.all(found.map((thread) => whole(client, thread)))); setError(""); },
      (reason: unknown) => setError(said(reason)),
    );
  }, [client, shown]);
  useEffect(refresh, [refresh]);
  const more = threads.length > shown ? () => setShown(shown + PAGE) : null;
  return { threads: threads.slice(0, shown), error, more, refresh };
}

function ThreadList({ threads, error, more, refresh, current, open }: Threads & { current: string; open: (id: string) => void }) {
  const [sought, setSought] = useState("");
  const { client } = useServer();
  const found = threads.filter((thread) => title(thread).toLowerCase().includes(sought.toLowerCase()));
  const remove = async (id: string) => {
    if (!confirm("Delete this conversation for good?")) return;
    await client.threads.delete(id);
    if (id === current) open("");
    refresh();
  };
  return (
    <>
      <input type="search" aria-label="Search conversations" placeholder="Search" value={sought} onChange={(event) => setSought(event.target.value)} />
      {error && <p role="alert">{error}</p>}
      <ul className="threads">
        {found.map((thread) => (
          <li key={thread.thread_id} aria-current={thread.thread_id === current || undefined}>
            <a href={`#conversations/${thread.thread_id}`} dir="auto">{title(thread)}</a>
            <span className={`tag ${outcome(thread)}`}>{words(outcome(thread))}</span>
            <button type="button" className="quiet" aria-label={`Delete: ${title(thread)}`} onClick={() => void remove(thread.thread_id)}>✕</button>
          </li>
        ))}
      </ul>
      {!found.length && !error && <p className="hint">{sought ? "None has these words." : "No conversation yet."}</p>}
      {more && <button type="button" onClick={more}>Older ones</button>}
    </>
  );
}

const title = (thread: Thread<State>) =>
  textOf(thread.values?.messages?.find((message) => message.type === "human")).slice(0, 90) || "(nothing said)";

/** In a word: how the thread's last request ended, or what it does now. */
function outcome(thread: Thread<State>): string {
  if (thread.status === "busy") return "working";
  if (thread.status === "interrupted") return Object.keys(thread.interrupts ?? {}).length ? "awaiting_approval" : "stopped";
  return thread.status === "error" ? "failed" : (thread.values?.outcome ?? "open");
}
