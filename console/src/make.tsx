import { type FormEvent, useEffect, useState } from "react";
import { Conversation, RUN } from "./conversation";
import { type Field, Fields, plain, typed } from "./fields";
import { said, useAsked, useServer } from "./server";

interface KnownWard {
  name: string;
  ward: string;
  /** null = the ward's file cannot be read; `ward` says why. */
  days: number | null;
  nurses: number | null;
  start: string | null;
}

type Settings = Record<string, unknown>;

const AGENT = "roster";
/** As `wavegraph roster generate` has them: what the form says is all that counts, and no language model is asked. */
const ORDERED = { ordered: true, planner: "rules", answer_check: "rules" };
const FURTHER = ["seed", "work_limit", "after", "repair", "change_weight", "freeze_until"];

interface Props {
  /** On which it is made; empty = the form. */
  thread: string;
  onThread: (thread: string) => void;
  open: (thing: string) => void;
}

export function MakeRoster({ thread, onThread, open }: Props) {
  return (
    <section className="rosters" aria-label="Make a roster">
      <div className="row">
        <button type="button" className="quiet" onClick={() => open("")}>← All rosters</button>
        <h2>Make a roster</h2>
      </div>
      {thread ? <Conversation key={thread} agent={AGENT} thread={thread} openRoster={open} /> : <Order onThread={onThread} />}
    </section>
  );
}

function Order({ onThread }: { onThread: (thread: string) => void }) {
  const { client } = useServer();
  const [wards, error] = useAsked<KnownWard[]>("/rosters/wards");
  const further = useFurther();
  const [name, setName] = useState("");
  const [given, setGiven] = useState<Record<string, string>>({});
  const [prices, setPrices] = useState<Record<string, string>>({});
  const [problem, setProblem] = useState("");
  const [isSending, setIsSending] = useState(false);
  const [readable, unreadable] = [true, false].map((is) => wards?.filter((each) => (each.days !== null) === is) ?? []) as [KnownWard[], KnownWard[]];
  const ward = readable.find((each) => each.name === name) ?? readable[0];
  const start = given.start ?? ward?.start ?? "";
  const days = given.days ?? String(ward?.days ?? 7);
  const made = async (event: FormEvent) => {
    event.preventDefault();
    if (!ward) return;
    setIsSending(true);
    const penalties = typed(prices, further.penalties?.properties ?? {});
    const settings: Settings = {
      ...ORDERED, ward: ward.name, start, days: Number(days), ...typed(given, { time_limit_s: { type: "number" }, ...further }),
      ...(Object.keys(penalties).length ? { penalties } : {}),
    };
    try {
      onThread(await started(settings, `Make the roster for ${ward.name}, ${days} days from ${start}`));
    } catch (reason) {
      setProblem(said(reason));
      setIsSending(false);
    }
  };
  const started = async (settings: Settings, content: string) => {
    const { thread_id } = await client.threads.create({ graphId: AGENT, metadata: { settings } });
    await client.runs.create(thread_id, AGENT, { ...RUN, input: { messages: [{ type: "human", content }] }, context: settings });
    return thread_id;
  };
  if (!wards) return error ? <p role="alert">{error}</p> : <p role="status" className="hint">Loading …</p>;
  return (
    <form className="card" onSubmit={(event) => void made(event)}>
      <div className="fields">
        <label>
          Ward
          <select dir="auto" value={ward?.name ?? ""} onChange={(event) => { setName(event.target.value); setGiven(Object.fromEntries(Object.entries(given).filter(([each]) => each !== "start" && each !== "days"))); }}>
            {readable.map((each) => <option key={each.name} value={each.name}>{each.ward} ({each.name}), {each.nurses} nurses</option>)}
          </select>
        </label>
        <label>First day<input type="date" required value={start} onChange={(event) => setGiven({ ...given, start: event.target.value })} /></label>
        <label>Days<input type="number" required min={1} max={366} value={days} onChange={(event) => setGiven({ ...given, days: event.target.value })} /></label>
        <label>Seconds for all rounds<input type="number" min={0.1} max={3600} step="any" placeholder="30" value={given.time_limit_s ?? ""} onChange={(event) => setGiven({ ...given, time_limit_s: event.target.value })} /></label>
      </div>
      {unreadable.length > 0 && (
        <details className="hint">
          <summary>Wards whose file cannot be read: {unreadable.length}</summary>
          {unreadable.map((each) => <p key={each.name} dir="auto">{each.name} {each.ward}</p>)}
        </details>
      )}
      {Object.keys(further).length > 0 && (
        <details>
          <summary>Further settings</summary>
          <Fields fields={Object.fromEntries(Object.entries(further).filter(([each]) => each !== "penalties"))} given={given} onGiven={setGiven} />
          {further.penalties?.properties && <><h3>Price of one unit of each penalty</h3><Fields fields={further.penalties.properties} given={prices} onGiven={setPrices} /></>}
        </details>
      )}
      {problem && <p role="alert" dir="auto">{problem}</p>}
      <div className="row"><button className="yes" disabled={isSending || !ward}>Make it</button><span className="hint">Nothing is published by this.</span></div>
    </form>
  );
}

/** The settings that the agent's own form has; none where the server does not tell them. */
function useFurther(): Record<string, Field> {
  const { client } = useServer();
  const [fields, setFields] = useState<Record<string, Field>>({});
  useEffect(() => {
    let isCurrent = true;
    const read = async () => {
      const [assistant] = await client.assistants.search({ graphId: AGENT, limit: 1 });
      const schema = assistant && ((await client.assistants.getSchemas(assistant.assistant_id)).context_schema as Field | undefined);
      const found = [...FURTHER, "penalties"].flatMap((each) => { const field = schema?.properties?.[each]; return field ? [[each, plain(field)] as const] : []; });
      if (isCurrent) setFields(Object.fromEntries(found));
    };
    read().catch(() => undefined);
    return () => { isCurrent = false; };
  }, [client]);
  return fields;
}
