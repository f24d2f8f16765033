import { useEffect, useState } from "react";
import { isThere, UNREACHABLE } from "./server";

const ASKS_EVERY_MS = 5000;
const RETRIES_EVERY_MS = 1500;
const TOLD_FOR_MS = 15_000;

export interface Connection {
  isLost: boolean;
  /** How often the server has come back: whoever shows its state reads it anew. */
  returns: number;
  isBack: boolean;
}

/** Whether the server answers; a restart in between is noticed, too, as it takes longer than the time between two looks. */
export function useConnection(): Connection {
  const [state, setState] = useState<Connection>({ isLost: false, returns: 0, isBack: false });
  useEffect(() => {
    const lost = () => setState((before) => ({ ...before, isLost: true, isBack: false }));
    addEventListener(UNREACHABLE, lost);
    return () => removeEventListener(UNREACHABLE, lost);
  }, []);
  useEffect(() => {
    const look = async () => {
      const isHere = await fetch("/ok").then(isThere, () => false);
      setState((before) => {
        if (isHere === !before.isLost) return before;
        return isHere ? { isLost: false, isBack: true, returns: before.returns + 1 } : { ...before, isLost: true, isBack: false };
      });
    };
    const timer = setInterval(() => document.hidden || void look(), state.isLost ? RETRIES_EVERY_MS : ASKS_EVERY_MS);
    return () => clearInterval(timer);
  }, [state.isLost]);
  useEffect(() => {
    if (!state.isBack) return;
    const timer = setTimeout(() => setState((before) => ({ ...before, isBack: false })), TOLD_FOR_MS);
    return () => clearTimeout(timer);
  }, [state.isBack, state.returns]);
  return state;
}

export function ConnectionNotice({ connection }: { connection: Connection }) {
  return (
    <div role="status" className="connection">
      {connection.isLost && <p className="lost">The server cannot be reached. Trying again …</p>}
      {connection.isBack && <p className="back">The server is back. What it kept is shown; a request that was under way may have to be resumed.</p>}
    </div>
  );
}
