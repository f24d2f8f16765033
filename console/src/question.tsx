import { useState } from "react";
import { type Field, Fields, plain, typed } from "./fields";
import { moment } from "./server";
import type { Answer, Question } from "./state";
import { words } from "./state";

/** Characters of a button's words. */
const LONGEST = 40;

/** What a person is asked: the exact terms, and the ways to answer. Every answer names the terms that were shown. */
export function QuestionCard({ question, onAnswer, isStaff = false }: { question: Question; onAnswer: (answer: Answer) => void; isStaff?: boolean }) {
  const [way, setWay] = useState<"" | "reject" | "edit" | "changes">("");
  const give = (answer: Omit<Answer, "terms_hash">) => onAnswer({ ...answer, terms_hash: question.terms_hash });
  if (!question.by_asker && !isStaff)
    return <div className="question" role="status"><Terms question={question} /><p>This waits for the staff, who answer it at the desk.</p></div>;
  return (
    <section className="question" aria-label="A question for you">
      <Terms question={question} />
      <div className="row">
        <button type="button" className="yes" onClick={() => give({ decision: "approve" })}>Yes</button>
        {Object.entries(question.choices).map(([choice, meaning]) => (
          <button key={choice} type="button" title={meaning} onClick={() => give({ decision: "approve", choice })}>{meaning.length > LONGEST ? words(choice) : meaning}</button>
        ))}
        <button type="button" onClick={() => setWay("reject")}>No …</button>
        {!question.changes && Object.keys(question.args).length > 0 && <button type="button" onClick={() => setWay("edit")}>Edit …</button>}
        {question.changes && <button type="button" onClick={() => setWay("changes")}>Ask for changes …</button>}
      </div>
      {way === "reject" && <Reason onReason={(reason) => give(reason ? { decision: "reject", reason } : { decision: "reject" })} />}
      {way === "edit" && <Edit args={question.args} onEdit={(args) => give({ decision: "edit", args })} />}
      {way === "changes" && <Changes schema={question.changes} onChanges={(changes) => give({ decision: "reject", changes })} />}
    </section>
  );
}

function Terms({ question }: { question: Question }) {
  return (
    <>
      {question.problem && <p role="alert" dir="auto">{question.problem}</p>}
      {question.changed && (
        <div className="notice">
          The terms have changed since they were last shown.
          <ul>{question.changed.before.map((line) => <li key={line} dir="auto"><del>{line}</del></li>)}{question.changed.now.map((line) => <li key={line} dir="auto"><ins>{line}</ins></li>)}</ul>
        </div>
      )}
      <p className="terms" dir="auto">{question.summary}</p>
      {question.valid_until && <p className="hint">Held until <time dateTime={question.valid_until}>{moment(question.valid_until)}</time>.</p>}
    </>
  );
}

function Reason({ onReason }: { onReason: (reason: string) => void }) {
  const [reason, setReason] = useState("");
  return (
    <form className="row" onSubmit={(event) => { event.preventDefault(); onReason(reason.trim()); }}>
      <input aria-label="Reason, if you like" placeholder="reason, if you like" dir="auto" autoFocus value={reason} onChange={(event) => setReason(event.target.value)} />
      <button>Say no</button>
    </form>
  );
}

/** Texts and numbers of the call, each in a field; only what was changed is sent. */
function Edit({ args, onEdit }: { args: Record<string, unknown>; onEdit: (args: Record<string, unknown>) => void }) {
  const plain = Object.entries(args).filter(([, value]) => value === null || typeof value !== "object");
  const [given, setGiven] = useState<Record<string, string>>({});
  const changed = Object.entries(given).filter(([name, text]) => text !== String(args[name] ?? ""));
  const typed = (name: string, text: string) => (typeof args[name] === "number" ? Number(text) : text);
  return (
    <form className="fields" onSubmit={(event) => { event.preventDefault(); onEdit(Object.fromEntries(changed.map(([name, text]) => [name, typed(name, text)]))); }}>
      {plain.map(([name, value]) => (
        <label key={name}>
          {words(name)}
          <input dir="auto" type={typeof value === "number" ? "number" : "text"} value={given[name] ?? String(value ?? "")} onChange={(event) => setGiven({ ...given, [name]: event.target.value })} />
        </label>
      ))}
      <button disabled={!changed.length}>Change it and show the terms again</button>
    </form>
  );
}

/** Of one more round: cells that are to stay, and other prices; as JSON where the agent asks for something else. */
function Changes({ schema, onChanges }: { schema: unknown; onChanges: (changes: Record<string, unknown>) => void }) {
  const prices = pricesOf(schema as Field);
  return prices ? <Round prices={prices} onChanges={onChanges} /> : <Written schema={schema} onChanges={onChanges} />;
}

function pricesOf(schema: Field): Record<string, Field> | undefined {
  const { locked, penalties } = schema.properties ?? {};
  const found = schema.$defs?.[penalties?.$ref?.split("/").at(-1) ?? ""] ?? penalties;
  return locked && found?.properties && Object.fromEntries(Object.entries(found.properties).map(([name, field]) => [name, plain(field)]));
}

interface Cell {
  nurse: string;
  day: string;
  shift: string;
}

function Round({ prices, onChanges }: { prices: Record<string, Field>; onChanges: (changes: Record<string, unknown>) => void }) {
  const [given, setGiven] = useState<Record<string, string>>({});
  const [cells, setCells] = useState<Cell[]>([]);
  const put = (place: number, part: Partial<Cell>) => setCells(cells.map((cell, at) => (at === place ? { ...cell, ...part } : cell)));
  const penalties = typed(given, prices);
  const locked = cells.map(({ nurse, day, shift }) => ({ nurse: nurse.trim(), day, shift: shift.trim() || null }));
  const send = () => onChanges({ ...(locked.length ? { locked } : {}), ...(Object.keys(penalties).length ? { penalties } : {}) });
  return (
    <form className="round" onSubmit={(event) => { event.preventDefault(); send(); }}>
      <fieldset>
        <legend>Cells that are settled</legend>
        {cells.map((cell, place) => (
          <div key={place} className="fields">
            <label>Nurse<input required dir="auto" value={cell.nurse} onChange={(event) => put(place, { nurse: event.target.value })} /></label>
            <label>Day<input required type="date" value={cell.day} onChange={(event) => put(place, { day: event.target.value })} /></label>
            <label>Shift<input placeholder="empty = off" dir="auto" value={cell.shift} onChange={(event) => put(place, { shift: event.target.value })} /></label>
            <button type="button" onClick={() => setCells(cells.filter((_, at) => at !== place))}>Remove</button>
          </div>
        ))}
        <button type="button" onClick={() => setCells([...cells, { nurse: "", day: "", shift: "" }])}>Settle a cell</button>
      </fieldset>
      <fieldset>
        <legend>Other prices</legend>
        <Fields fields={prices} given={given} onGiven={setGiven} />
      </fieldset>
      <button className="yes" disabled={!locked.length && !Object.keys(penalties).length}>Make another round</button>
    </form>
  );
}

function Written({ schema, onChanges }: { schema: unknown; onChanges: (changes: Record<string, unknown>) => void }) {
  const [text, setText] = useState("{}");
  const [problem, setProblem] = useState("");
  const send = () => {
    try {
      onChanges(JSON.parse(text) as Record<string, unknown>);
    } catch (error) {
      setProblem(`This is no JSON: ${(error as Error).message}`);
    }
  };
  return (
    <form onSubmit={(event) => { event.preventDefault(); send(); }}>
      <label>Changes, as JSON<textarea rows={5} spellCheck={false} autoFocus value={text} onChange={(event) => setText(event.target.value)} /></label>
      {problem && <p role="alert">{problem}</p>}
      <details><summary>What may stand there</summary><pre>{JSON.stringify(schema, null, 1)}</pre></details>
      <button>Make another round</button>
    </form>
  );
}
