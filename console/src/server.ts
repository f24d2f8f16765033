import { Client, type Thread } from "@langchain/langgraph-sdk";
import { createContext, useContext, useEffect, useState } from "react";

const TOKEN = "wavegraph-token";

/** What the window is told when a call finds no server. */
export const UNREACHABLE = "wavegraph-unreachable";

/** Answered by the server itself, and not by a proxy in its place. */
export const isThere = (reply: Response) => ![502, 503, 504].includes(reply.status);

/** `fetch`, which tells the window when the server cannot be reached. */
async function watched(...call: Parameters<typeof fetch>): Promise<Response> {
  try {
    const reply = await fetch(...call);
    if (!isThere(reply)) dispatchEvent(new Event(UNREACHABLE));
    return reply;
  } catch (error) {
    if ((error as Error | null)?.name !== "AbortError") dispatchEvent(new Event(UNREACHABLE));
    throw error;
  }
}

/** The server that served this page. The token stays in this tab: it is gone when the tab is closed. */
export class Server {
  readonly client: Client;

  constructor(readonly token: string) {
    this.client = new Client({ apiUrl: location.origin, defaultHeaders: this.headers, callerOptions: { fetch: watched } });
  }

  static remembered(): Server {
    return new Server(sessionStorage.getItem(TOKEN) ?? "");
  }

  static signedIn(token: string): Server {
    sessionStorage.setItem(TOKEN, token.trim());
    return new Server(token.trim());
  }

  get headers(): Record<string, string> {
    return this.token ? { authorization: `Bearer ${this.token}` } : {};
  }

  /** A route of ours. Throws an Error with what the server says. */
  async ask(path: string, body?: unknown): Promise<Response> {
    const sent = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    const reply = await watched(path, { ...sent, headers: { ...this.headers, "content-type": "application/json" } });
    if (!reply.ok) throw new Error(await detail(reply));
    return reply;
  }
}

async function detail(reply: Response): Promise<string> {
  const text = await reply.text();
  try {
    return String(JSON.parse(text).detail ?? text);
  } catch {
    return text;
  }
}

export const ServerContext = createContext(Server.remembered());
export const useServer = () => useContext(ServerContext);

/** What `path` gives, as JSON, and what went wrong; null until it is here. `times`: asked anew when it changes. */
export function useAsked<T>(path: string, times = 0): [T | null, string] {
  const server = useServer();
  const [found, setFound] = useState<T | null>(null);
  const [error, setError] = useState("");
  useEffect(() => {
    let isCurrent = true;
    setError("");
    server.ask(path).then((reply) => reply.json() as Promise<T>).then(
      (given) => { if (isCurrent) setFound(given); },
      (reason: unknown) => { if (isCurrent) { setFound(null); setError(said(reason)); } },
    );
    return () => { isCurrent = false; };
  }, [server, path, times]);
  return [found, error];
}

/** A row with what is said on its thread and what it asks: not every server puts that into a row. */
export async function whole<State>(client: Client, row: Thread<State>): Promise<Thread<State>> {
  if ("values" in row && "interrupts" in row) return row;
  const bare = row as Thread<State>;
  try {
    const state = await client.threads.getState<State>(bare.thread_id);
    const interrupts = Object.fromEntries(state.tasks.map((task) => [task.id, task.interrupts]).filter(([, asked]) => asked?.length));
    return { ...bare, values: state.values, interrupts };
  } catch {
    return bare;
  }
}

export const moment = (at: string) => new Date(at).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });

/** A reply to one question, by its id: after a crash a plain one could meet a later question. */
export const replyTo = (id: string | undefined, given: unknown) => (id ? { [id]: given } : given);

/** What went wrong, for people. The SDK's errors carry the reply's JSON behind the status. */
export function said(error: unknown): string {
  const text = error instanceof Error ? error.message : String((error as { message?: string } | null)?.message ?? error);
  const found = /"detail"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(text);
  return found?.[1] ? (JSON.parse(`"${found[1]}"`) as string) : text;
}

export const isUnauthorized = (error: unknown) => /\b401\b/.test(String((error as Error | null)?.message ?? error));
