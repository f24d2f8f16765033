import { useState } from "react";
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
        {Object.keys(question.args).length > 0 && <button type="button" onClick={() => setWay("edit")}>Edit …</button>}
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

function Changes({ schema, onChanges }: { schema: unknown; onChanges: (changes: Record<string, unknown>) => void }) {
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
