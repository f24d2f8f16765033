import { type ReactNode, useEffect, useRef, useState } from "react";
import { said, useServer } from "./server";

/** A form's place on the page; it is where the keyboard goes when it opens. */
export function Card({ title, children }: { title: string; children: ReactNode }) {
  const head = useRef<HTMLHeadingElement>(null);
  useEffect(() => head.current?.focus(), []);
  return <section className="card" aria-label={title}><h3 ref={head} tabIndex={-1}>{title}</h3>{children}</section>;
}

export function Confirm({ words, reason, onReason, isSending, onLeave }: { words: string; reason: string; onReason: (reason: string) => void; isSending: boolean; onLeave: () => void }) {
  return (
    <div className="row">
      <input className="wide" aria-label="Reason, if you like" placeholder="reason, if you like" maxLength={2000} dir="auto" value={reason} onChange={(event) => onReason(event.target.value)} />
      <button className="yes" disabled={isSending}>{words}</button>
      <button type="button" className="quiet" onClick={onLeave}>Leave it</button>
    </div>
  );
}

/** Sends a form's body once, and tells what the server says against it. */
export function useSent<T>(path: string, onDone: (reply: T) => void) {
  const server = useServer();
  const [isSending, setIsSending] = useState(false);
  const [problem, setProblem] = useState("");
  const send = async (body: unknown) => {
    setIsSending(true);
    setProblem("");
    try {
      onDone(await (await server.ask(path, body)).json() as T);
    } catch (error) {
      setProblem(said(error));
    } finally {
      setIsSending(false);
    }
  };
  return { send, isSending, problem };
}

export function Lines({ lines, name }: { lines: string[]; name: string }) {
  if (!lines.length) return null;
  return <ul className="lines" aria-label={name} tabIndex={0}>{lines.map((line, place) => <li key={place} dir="auto">{line}</li>)}</ul>;
}
