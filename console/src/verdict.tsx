import { useState } from "react";
import { said, useServer } from "./server";

/** Good or bad, with a word why: kept with the thread's last answer. */
export function Verdict({ thread }: { thread: string }) {
  const server = useServer();
  const [chosen, setChosen] = useState<"good" | "bad" | null>(null);
  const [why, setWhy] = useState("");
  const [told, setTold] = useState("");
  const send = () =>
    server.ask(`/threads/${encodeURIComponent(thread)}/feedback`, why ? { verdict: chosen, why } : { verdict: chosen }).then(
      () => setTold("Thank you, this is kept."),
      (error: unknown) => setTold(said(error)),
    );
  return (
    <form className="verdict" onSubmit={(event) => { event.preventDefault(); void send(); }}>
      <fieldset>
        <legend>Was this answer good?</legend>
        {(["good", "bad"] as const).map((verdict) => (
          <label key={verdict}>
            <input type="radio" name="verdict" checked={chosen === verdict} onChange={() => { setChosen(verdict); setTold(""); }} /> {verdict}
          </label>
        ))}
        {chosen && <input aria-label="Why, in a word" placeholder="why, in a word" maxLength={2000} dir="auto" value={why} onChange={(event) => setWhy(event.target.value)} />}
        {chosen && <button>Keep</button>}
      </fieldset>
      <span role="status">{told}</span>
    </form>
  );
}
