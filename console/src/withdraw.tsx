import { useState } from "react";
import { Card, Confirm, Lines, useSent } from "./form-parts";
import { useAsked } from "./server";

interface FormProps {
  path: string;
  onDone: (lines: string[]) => void;
  onLeave: () => void;
}

interface Sent {
  lines: string[];
}

interface Withdrawal {
  is_so: boolean;
  is_published: boolean;
  lines: string[];
}

const WAYS = {
  draft: { title: "Keep this roster as a draft?", already: "It is a draft already.", meaning: "It can be published later.", yes: "Keep it as a draft" },
  discard: { title: "Discard this roster?", already: "It is discarded already.", meaning: "It can still be looked at, and published.", yes: "Discard it" },
} as const;

/** Keeps a roster as a draft, or discards it; one that staff have needs a tick. */
export function Withdraw({ way, path, onDone, onLeave }: FormProps & { way: keyof typeof WAYS }) {
  const { title, already, meaning, yes } = WAYS[way];
  const [told, error] = useAsked<Withdrawal>(`${path}/${way}`);
  const [agreed, setAgreed] = useState(false);
  const [reason, setReason] = useState("");
  const send = useSent<Sent>(`${path}/${way}`, (made) => onDone(made.lines));
  if (!told) return <Looking title={title} error={error} />;
  if (told.is_so) return <Card title={title}><p>{already}</p></Card>;
  return (
    <Card title={title}>
      <p>{meaning}</p>
      <Lines lines={told.lines} name="What changes" />
      <form onSubmit={(event) => { event.preventDefault(); void send.send({ reason, withdraw: told.is_published }); }}>
        {told.is_published && (
          <label className="check">
            <input type="checkbox" required checked={agreed} onChange={(event) => setAgreed(event.target.checked)} /> Withdraw it from staff
          </label>
        )}
        <Confirm words={yes} reason={reason} onReason={setReason} isSending={send.isSending} onLeave={onLeave} />
      </form>
      {send.problem && <p role="alert" dir="auto">{send.problem}</p>}
    </Card>
  );
}

interface Undoing {
  ward: string;
  decision: { number: number; reason: string } | null;
  changes: string[];
  lines: string[];
}

/** Takes back the last decision about the ward's rosters. */
export function TakeBack({ path, onDone, onLeave }: FormProps) {
  const title = "Take back the last decision?";
  const [told, error] = useAsked<Undoing>(`${path}/undo`);
  const [reason, setReason] = useState("");
  const send = useSent<Sent>(`${path}/undo`, (made) => onDone(made.lines));
  if (!told) return <Looking title={title} error={error} />;
  const { decision } = told;
  return (
    <Card title={title}>
      <p>It is the last one about a roster of <span dir="auto">{told.ward}</span>, also of other days.</p>
      <Lines lines={told.lines} name="What changes" />
      {decision?.reason && <p dir="auto">Its reason was: {decision.reason}</p>}
      <Lines lines={told.changes} name="Cells that change" />
      {decision && (
        <form onSubmit={(event) => { event.preventDefault(); void send.send({ reason, decision: decision.number }); }}>
          <Confirm words="Take it back" reason={reason} onReason={setReason} isSending={send.isSending} onLeave={onLeave} />
        </form>
      )}
      {send.problem && <p role="alert" dir="auto">{send.problem}</p>}
    </Card>
  );
}

function Looking({ title, error }: { title: string; error: string }) {
  return <Card title={title}>{error ? <p role="alert">{error}</p> : <p role="status">Looking what would change …</p>}</Card>;
}
