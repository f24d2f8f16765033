import { useEffect, useState } from "react";
import { ConnectionNotice, useConnection } from "./connection";
import { Conversations } from "./conversations";
import { Desk } from "./desk";
import { Rosters } from "./rosters";
import { isUnauthorized, said, Server, ServerContext } from "./server";

const PLACES = { conversations: "Conversations", desk: "Desk", rosters: "Rosters" };
type Place = keyof typeof PLACES;

/** `#desk`, or `#conversations/<thread>`: a reload and the back button keep the place. */
function useAddress(): [Place, string, (place: Place, thing?: string) => void] {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const changed = () => setHash(location.hash);
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);
  const [place = "", thing = ""] = hash.slice(1).split("/");
  const known = place in PLACES ? (place as Place) : "conversations";
  return [known, decodeURIComponent(thing), (to, what = "") => (location.hash = `${to}/${encodeURIComponent(what)}`)];
}

export function App() {
  const [server, setServer] = useState(Server.remembered);
  const [place, thing, go] = useAddress();
  const connection = useConnection();
  const [isLetIn, setIsLetIn] = useState(false);
  return (
    <ServerContext value={server}>
      <header className="bar">
        <h1>Wavegraph</h1>
        <nav aria-label="Places">
          {Object.entries(PLACES).map(([name, title]) => (
            <a key={name} href={`#${name}`} aria-current={name === place ? "page" : undefined}>{title}</a>
          ))}
        </nav>
        <SignIn key={`${server.token} ${connection.returns}`} onAccess={setIsLetIn} onToken={(token) => { setIsLetIn(false); setServer(Server.signedIn(token)); }} />
      </header>
      <ConnectionNotice connection={connection} />
      <main key={`${server.token} ${connection.returns}`}>
        {isLetIn && place === "conversations" && <Conversations thread={thing} open={(id) => go("conversations", id)} openRoster={(id) => go("rosters", id)} />}
        {isLetIn && place === "desk" && <Desk open={(id) => go("conversations", id)} />}
        {isLetIn && place === "rosters" && <Rosters thing={thing} open={(id) => go("rosters", id)} />}
      </main>
    </ServerContext>
  );
}

type Access = "unknown" | "open" | "needs a token" | string;

/** A field for a token, if the server asks for one. */
function SignIn({ onAccess, onToken }: { onAccess: (isLetIn: boolean) => void; onToken: (token: string) => void }) {
  const [access, setAccess] = useState<Access>("unknown");
  const [token, setToken] = useState("");
  const server = Server.remembered();
  useEffect(() => {
    server.client.assistants.search({ limit: 1 }).then(
      () => { setAccess("open"); onAccess(true); },
      (error: unknown) => setAccess(isUnauthorized(error) ? "needs a token" : said(error)),
    );
  }, []);
  if (access === "unknown") return null;
  if (access === "open")
    return server.token ? <button type="button" onClick={() => onToken("")}>Sign out</button> : null;
  return (
    <form className="sign-in" onSubmit={(event) => { event.preventDefault(); onToken(token); }}>
      <label>
        Token <input type="password" autoComplete="off" required value={token} onChange={(event) => setToken(event.target.value)} />
      </label>
      <button>Sign in</button>
      {access === "needs a token" && !server.token ? <span className="hint">This server asks who you are.</span> : <span role="alert">{access === "needs a token" ? "This token is not valid here." : access}</span>}
    </form>
  );
}
