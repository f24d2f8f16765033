import type { Checkpoint, Client, Message, StreamMode } from "@langchain/langgraph-sdk";
import { useStream } from "@langchain/langgraph-sdk/react";
import { useEffect, useRef, useState } from "react";
import { AnswerChecked, Costs, Detours } from "./after";
import type { Agent } from "./conversations";
import { QuestionCard } from "./question";
import { replyTo, said, useServer } from "./server";
import { type Answer, type Event, liveCalls, presentedRoster, type Question, settingsToAnswer, type State, storedCalls, textOf } from "./state";
import { Progress } from "./progress";
import { Timeline } from "./timeline";
import { Verdict } from "./verdict";

interface Props {
  agent: Agent;
  thread: string | null;
  onThread?: (id: string) => void;
  onChange?: () => void;
  openRoster: (id: string) => void;
}

/** To go on with what is left: an empty input is refused by some servers. */
const GO_ON = { update: { answer: "" } };

/** How each run is started: it goes on when the page is closed, and its stream can be read again. */
export const RUN = {
  streamResumable: true,
  onDisconnect: "continue" as const,
  streamMode: ["values", "custom", "messages-tuple"] as StreamMode[],
};

export function Conversation({ agent, thread, onThread, onChange, openRoster }: Props) {
  const server = useServer();
  const [events, setEvents] = useState<Event[]>([]);
  const [stopped, setStopped] = useState(false);
  const stream = useStream<State, { InterruptType: Question; CustomEventType: Event }>({
    client: server.client,
    assistantId: agent,
    threadId: thread,
    onThreadId: onThread,
    reconnectOnMount: true,
    fetchStateHistory: true,
    onCustomEvent: (event) => { if (event?.event) setEvents((before) => [...before, event]); },
    onFinish: onChange,
  });
  useJoined(thread, stream);
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => { end.current?.scrollIntoView({ block: "end" }); }, [stream.messages.length, stream.isLoading]);

  const run = (start: () => void) => { setEvents([]); setStopped(false); start(); };
  const ask = (text: string, checkpoint?: Checkpoint | null) => {
    const messages: Message[] = [{ type: "human", content: text }];
    run(() => void stream.submit(
      { messages },
      { ...RUN, checkpoint, optimisticValues: (before) => ({ ...before, messages: [...(before.messages ?? []), ...messages] }) },
    ));
  };
  const answer = (given: Answer) => {
    const command = { resume: replyTo(stream.interrupt?.id, given) };
    run(() => void stream.submit(undefined, { ...RUN, command, context: settingsToAnswer(agent, stream.interrupt?.value) }));
  };
  const resume = async () => {
    const context = thread ? await settingsOf(server, thread) : undefined;
    run(() => void stream.submit(undefined, { ...RUN, command: GO_ON, context }));
  };
  const stop = async () => {
    setStopped(true);
    if (thread) await cancelAll(server, thread);
    sessionStorage.removeItem(`lg:stream:${thread}`); // it would be cancelled a second time
    await stream.stop();
    onChange?.();
  };

  const question = stream.interrupt?.value;
  const isWaiting = !stream.isLoading && question?.kind === "approval";
  const head = stream.history.at(-1);
  const isUnfinished = !stream.isLoading && !isWaiting && (head?.next.length ?? 0) > 0;
  const roster = agent === "roster" ? presentedRoster(stream.values) : undefined;
  const calls = stream.isLoading ? liveCalls(events) : storedCalls(stream.values.ledger);
  return (
    <section className="conversation" aria-label="Conversation">
      <div role="log" aria-label="Messages" className="log">
        <ol className="messages">
          {shown(stream.messages, isWaiting ? question : undefined).map((message, index) => (
            <Said
              key={message.id ?? index}
              message={message}
              onFork={stream.isLoading ? undefined : (text) => ask(text, stream.getMessagesMetadata(message)?.firstSeenState?.parent_checkpoint)}
            />
          ))}
        </ol>
      </div>
      {stream.isLoading && <p role="status" className="working">Working …</p>}
      {stream.isLoading && <Progress events={events} />}
      {calls.length > 0 && <Timeline calls={calls} isLive={stream.isLoading} />}
      {!stream.isLoading && <Detours state={stream.values} />}
      {Boolean(stream.error) && !stopped && !isWaiting && <p role="alert">{said(stream.error)}</p>}
      {isWaiting && question && <QuestionCard key={question.terms_hash + (question.problem ?? "")} question={question} onAnswer={answer} />}
      {!stream.isLoading && stream.values.outcome && (
        <footer className="after">
          <AnswerChecked check={stream.values.answer_check} />
          <Costs state={stream.values} events={events} />
          {thread && !isWaiting && !isUnfinished && <Verdict thread={thread} />}
        </footer>
      )}
      {!stream.isLoading && roster && <p><button type="button" onClick={() => openRoster(roster)}>Open roster {roster}</button></p>}
      {isUnfinished && (
        <p className="notice" role="status">
          This request was stopped before its end; what it found is kept. <button type="button" onClick={() => void resume()}>Resume</button>{" "}
          or send a message that changes it.
        </p>
      )}
      <div ref={end} className="end" />
      <Composer key={thread} draftOf={thread ?? agent} isBusy={stream.isLoading} onSend={ask} onStop={() => void stop()} agent={agent} />
    </section>
  );
}

interface Joinable {
  isLoading: boolean;
  isThreadLoading: boolean;
  joinStream: (run: string, lastEventId?: string) => Promise<void>;
}

/** A run that another tab started, or one that was lost with a reload, is shown from its first event, over what was said before. */
function useJoined(thread: string | null, stream: Joinable) {
  const { client } = useServer();
  const now = useRef(stream);
  now.current = stream;
  useEffect(() => {
    if (!thread || stream.isThreadLoading) return;
    let isCurrent = true;
    void underWay(client, thread).then(([run]) => {
      if (run && isCurrent && !now.current.isLoading) void now.current.joinStream(run.run_id, "-1");
    }, () => undefined);
    return () => { isCurrent = false; };
  }, [client, thread, stream.isThreadLoading]);
}

/** Also a run that this page did not start. */
async function cancelAll({ client }: ReturnType<typeof useServer>, thread: string): Promise<void> {
  const runs = await underWay(client, thread);
  await Promise.allSettled(runs.map((run) => client.runs.cancel(thread, run.run_id, true))); // one may just have ended
}

/** Asked for at once: one that begins between two questions would be in neither answer. */
const underWay = async (client: Client, thread: string) =>
  (await client.runs.list(thread, { limit: 20 })).filter((run) => run.status === "running" || run.status === "pending");

/** The settings that the request was started with, where a place of the page gave some. */
async function settingsOf({ client }: ReturnType<typeof useServer>, thread: string): Promise<Record<string, unknown> | undefined> {
  return (await client.threads.get(thread)).metadata?.settings as Record<string, unknown> | undefined;
}

/** The question has the words of the last message, and ways to answer them. */
function shown(messages: Message[], question: Question | undefined): Message[] {
  const last = messages.at(-1);
  return question && last?.type === "ai" && textOf(last).includes(question.summary) ? messages.slice(0, -1) : messages;
}

function Said({ message, onFork }: { message: Message; onFork?: (text: string) => void }) {
  const [edited, setEdited] = useState<string | null>(null);
  const text = textOf(message);
  if (!text || (message.type !== "human" && message.type !== "ai")) return null;
  const isAsker = message.type === "human";
  if (edited !== null && onFork)
    return (
      <li className="said human">
        <form onSubmit={(event) => { event.preventDefault(); setEdited(null); onFork(edited); }}>
          <textarea aria-label="The message, changed" dir="auto" rows={3} autoFocus value={edited} onChange={(event) => setEdited(event.target.value)} />
          <div className="row">
            <button disabled={!edited.trim()}>Ask again from here</button>
            <button type="button" className="quiet" onClick={() => setEdited(null)}>Leave it</button>
          </div>
        </form>
      </li>
    );
  return (
    <li className={`said ${message.type}`}>
      <span className="visually-hidden">{isAsker ? "You:" : "Agent:"}</span>
      <p dir="auto">{text}</p>
      {isAsker && onFork && <button type="button" className="quiet" onClick={() => setEdited(text)}>Change and ask again</button>}
    </li>
  );
}

interface ComposerProps {
  isBusy: boolean;
  onSend: (text: string) => void;
  onStop: () => void;
  agent: Agent;
  draftOf: string;
}

function Composer({ isBusy, onSend, onStop, agent, draftOf }: ComposerProps) {
  const [text, setText] = useDraft(draftOf);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => { if (!isBusy) field.current?.focus({ preventScroll: true }); }, [isBusy]);
  const send = () => { if (text.trim() && !isBusy) { onSend(text.trim()); setText(""); } };
  return (
    <form className="composer" onSubmit={(event) => { event.preventDefault(); send(); }}>
      <textarea
        ref={field}
        aria-label="Your message"
        dir="auto"
        rows={2}
        placeholder={agent === "hotel" ? "A room for two adults from 3 to 5 December" : "Make the roster for harbour"}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) { event.preventDefault(); send(); }
        }}
      />
      {isBusy ? <button type="button" onClick={onStop}>Stop</button> : <button disabled={!text.trim()}>Send</button>}
    </form>
  );
}

/** What is typed and not sent yet, kept over a reload. */
function useDraft(of: string): [string, (text: string) => void] {
  const key = `wavegraph-draft-${of}`;
  const [text, setText] = useState(() => sessionStorage.getItem(key) ?? "");
  const kept = (now: string) => {
    setText(now);
    if (now) sessionStorage.setItem(key, now);
    else sessionStorage.removeItem(key);
  };
  return [text, kept];
}
