import { Client, type Thread } from "@langchain/langgraph-sdk";
import { createContext, useContext } from "react";

const TOKEN = "wavegraph-token";

/** The server that served this page. The token stays in this tab: it is gone when the tab is closed. */
export class Server {
  readonly client: Client;

  constructor(readonly token: string) {
    this.client = new Client({ apiUrl: location.origin, defaultHeaders: this.headers });
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
    const reply = await fetch(path, { ...sent, headers: { ...this.headers, "content-type": "application/json" } });
    if (!reply.ok) throw new Error(`${reply.status}: ${await detail(reply)}`);
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

/** A reply to one question, by its id: after a crash a plain one could meet a later question. */
export const replyTo = (id: string | undefined, given: unknown) => (id ? { [id]: given } : given);

/** What went wrong, for people. The SDK's errors carry the reply's JSON behind the status. */
export function said(error: unknown): string {
  const text = error instanceof Error ? error.message : String((error as { message?: string } | null)?.message ?? error);
  const found = /"detail"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(text);
  return found?.[1] ? (JSON.parse(`"${found[1]}"`) as string) : text;
}

export const isUnauthorized = (error: unknown) => /\b401\b/.test(String((error as Error | null)?.message ?? error));
