import { type FormEvent, useState } from "react";
import { Card, Confirm, Lines, useSent } from "./form-parts";
import { said, useAsked, useServer } from "./server";
import { TakeBack, Withdraw } from "./withdraw";

interface Named {
  id: string;
  name: string;
}

/** What the forms choose from. */
interface Sheet {
  nurses: Named[];
  shifts: Named[];
  /** ISO dates. */
  days: string[];
  roster: Record<string, (string | null)[]>;
}

interface Pair {
  first: string;
  second: string;
  days: string[];
}

type Form = "" | keyof typeof FORMS;
type Done = (roster: string, lines: string[]) => void;
const OFF = "off";
const FORMS = {
  publish: "Publish …", who: "Who can cover …", swap: "Swap …", draft: "Keep as a draft …", discard: "Discard …", undo: "Undo …",
} as const;

/** What staff does with one roster. Nothing is changed before it was shown what exactly changes. */
export function RosterForms({ id, path, onDone }: { id: string; path: string; onDone: Done }) {
  const [sheet, error] = useAsked<Sheet>(path);
  const [form, setForm] = useState<Form>("");
  const [pair, setPair] = useState<Pair | null>(null);
  const close = () => setForm("");
  return (
    <>
      <div className="row">
        {(Object.keys(FORMS) as (keyof typeof FORMS)[]).map((name) => (
          <button key={name} type="button" aria-expanded={form === name} disabled={!sheet} onClick={() => { setPair(null); setForm(form === name ? "" : name); }}>
            {FORMS[name]}
          </button>
        ))}
      </div>
      {error && <p role="alert">{error}</p>}
      {sheet && form === "publish" && <Publish path={path} onDone={onDone} onLeave={close} />}
      {sheet && form === "who" && <Cover path={path} sheet={sheet} onSwap={(chosen) => { setPair(chosen); setForm("swap"); }} />}
      {sheet && form === "swap" && <Swap path={path} sheet={sheet} given={pair} onDone={onDone} onLeave={close} />}
      {(form === "draft" || form === "discard") && <Withdraw key={form} way={form} path={path} onDone={(lines) => onDone(id, lines)} onLeave={close} />}
      {form === "undo" && <TakeBack path={path} onDone={(lines) => onDone(id, lines)} onLeave={close} />}
    </>
  );
}

interface Publication {
  is_published: boolean;
  replaces: { version: number; roster_id: string } | null;
  changes: string[];
  problems: string[];
  why_not: string | null;
  may_insist: boolean;
}

function Publish({ path, onDone, onLeave }: { path: string; onDone: Done; onLeave: () => void }) {
  const [told, error] = useAsked<Publication>(`${path}/publication`);
  const [agreed, setAgreed] = useState<Record<string, boolean>>({});
  const [reason, setReason] = useState("");
  const send = useSent<{ roster_id: string; lines: string[] }>(`${path}/publication`, (made) => onDone(made.roster_id, made.lines));
  if (!told) return <Card title="Publish this roster?">{error ? <p role="alert">{error}</p> : <p role="status">Looking what would change …</p>}</Card>;
  if (told.is_published) return <Card title="Publish this roster?"><p>It is published already.</p></Card>;
  const doubts = { ...(told.problems.length ? { problems: "Publish it with these problems" } : {}), ...(told.why_not ? { place: "Publish it all the same" } : {}) };
  const body = { reason, replaces: told.replaces?.roster_id, with_problems: told.problems.length > 0 };
  return (
    <Card title="Publish this roster?">
      <p>
        It is then what staff have for its days, and what the next roster follows.{" "}
        {told.replaces ? `It takes the place of V${told.replaces.version} (${told.replaces.roster_id}). Cells that change: ${told.changes.length}.` : "Nothing is published for these days yet."}
      </p>
      <Lines lines={told.changes} name="Cells that change" />
      {told.problems.length > 0 && <p>It fails its checks:</p>}
      <Lines lines={told.problems} name="What fails" />
      {told.why_not && <p role="alert" dir="auto">{told.why_not}</p>}
      {(told.may_insist || !told.why_not) && (
        <form onSubmit={(event) => { event.preventDefault(); void send.send(body); }}>
          {Object.entries(doubts).map(([name, words]) => (
            <label key={name} className="check">
              <input type="checkbox" required checked={agreed[name] ?? false} onChange={(event) => setAgreed({ ...agreed, [name]: event.target.checked })} /> {words}
            </label>
          ))}
          <Confirm words="Publish it" reason={reason} onReason={setReason} isSending={send.isSending} onLeave={onLeave} />
        </form>
      )}
      {send.problem && <p role="alert" dir="auto">{send.problem}</p>}
    </Card>
  );
}

interface Candidate {
  nurse: string;
  name: string;
  works: string | null;
  may: boolean;
  breaks: { detail: string }[];
  compensatory: { detail: string }[];
  cost: number;
  hours: number;
  target_hours: number | null;
  fairness: number;
}

interface Covered {
  day: string;
  shift: string;
  instead: string | null;
  on_it: string[];
  short: { detail: string }[];
  if_nobody: { breaks: { detail: string }[]; cost: number } | null;
  candidates: Candidate[];
}

type OnSwap = (pair: Pair) => void;

/** Who takes one more shift, or each shift of a nurse who is sick. */
function Cover({ path, sheet, onSwap }: { path: string; sheet: Sheet; onSwap: OnSwap }) {
  const server = useServer();
  const [isSick, setIsSick] = useState(true);
  const [nurse, setNurse] = useState(sheet.nurses[0]?.id ?? "");
  const [from, setFrom] = useState(sheet.days[0] ?? "");
  const [until, setUntil] = useState("");
  const [shift, setShift] = useState(sheet.shifts[0]?.id ?? "");
  const [found, setFound] = useState<Covered[] | null>(null);
  const [problem, setProblem] = useState("");
  const days = sheet.days.filter((day) => from <= day && day <= (until || from));
  const hers = days.flatMap((day) => { const works = cell(sheet, nurse, day); return works ? [{ day, shift: works, instead: nurse }] : []; });
  const changed = <T,>(set: (value: T) => void) => (value: T) => { set(value); setFound(null); };
  const ask = async (event: FormEvent) => {
    event.preventDefault();
    const asked = isSick ? hers : [{ day: from, shift }];
    try {
      const replies = asked.map((each) => server.ask(`${path}/who?${new URLSearchParams(each)}`).then((reply) => reply.json() as Promise<Covered>));
      setFound(await Promise.all(replies));
      setProblem("");
    } catch (error) {
      setProblem(said(error));
    }
  };
  return (
    <Card title="Who can cover?">
      <form onSubmit={(event) => void ask(event)}>
        <fieldset className="row">
          <legend className="visually-hidden">What is missing</legend>
          <label><input type="radio" name="missing" checked={isSick} onChange={() => changed(setIsSick)(true)} /> A nurse is sick</label>
          <label><input type="radio" name="missing" checked={!isSick} onChange={() => changed(setIsSick)(false)} /> One more on a shift</label>
        </fieldset>
        <div className="fields">
          {isSick && <Choice label="Nurse" value={nurse} onChange={changed(setNurse)} options={sheet.nurses.map(called)} />}
          <Choice label={isSick ? "First day" : "Day"} value={from} onChange={changed(setFrom)} options={sheet.days.map((day) => [day, dayWithCell(sheet, day, isSick ? nurse : "")])} />
          {isSick && <Choice label="Last day" value={until || from} onChange={changed(setUntil)} options={sheet.days.filter((day) => day >= from).map((day) => [day, dayWithCell(sheet, day, nurse)])} />}
          {!isSick && <Choice label="Shift" value={shift} onChange={changed(setShift)} options={sheet.shifts.map(called)} />}
          <button className="yes" disabled={isSick && !hers.length}>Who can?</button>
        </div>
        {isSick && !hers.length && <p className="hint">She is off then: nobody has to take her place.</p>}
      </form>
      {problem && <p role="alert" dir="auto">{problem}</p>}
      <div role="status">{found?.map((each) => <Candidates key={each.day} found={each} sheet={sheet} onSwap={onSwap} />)}</div>
    </Card>
  );
}

function Candidates({ found, sheet, onSwap }: { found: Covered; sheet: Sheet; onSwap: OnSwap }) {
  const may = found.candidates.filter((each) => each.may);
  const mayNot = found.candidates.filter((each) => !each.may);
  const { instead } = found;
  return (
    <section className="covered">
      <h4>{nameOf(sheet.shifts, found.shift)}, {inWords(found.day)}: {may.length} of {found.candidates.length} may</h4>
      <p className="hint">On it: {found.on_it.join(", ") || "nobody"}.{found.short.map((each) => ` ${each.detail}.`)}{found.if_nobody && ` If nobody takes it: ${[costInWords(found.if_nobody.cost), ...found.if_nobody.breaks.map((each) => each.detail)].join("; ")}.`}</p>
      {may.length > 0 && (
        <table className="list">
          <thead><tr><th scope="col">Nurse</th><th scope="col">That day</th><th scope="col">Cost</th><th scope="col">Hours</th><th scope="col">Fairness</th>{instead && <th scope="col"><span className="visually-hidden">What to do</span></th>}</tr></thead>
          <tbody>
            {may.map((each) => (
              <tr key={each.nurse}>
                <th scope="row" dir="auto">{each.name}</th>
                <td>{each.works ? `moved from ${each.works}` : OFF}{each.compensatory.map((rest) => `; needs compensatory rest: ${rest.detail}`)}</td>
                <td>{costInWords(each.cost)}</td>
                <td>{each.hours}{each.target_hours !== null && ` of ${each.target_hours}`} h</td>
                <td>fairness {each.fairness} %</td>
                {instead && <td>{each.works === null && <button type="button" onClick={() => onSwap({ first: instead, second: each.nurse, days: [found.day] })}>Swap with {each.nurse} …</button>}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {mayNot.length > 0 && (
        <details>
          <summary>Who may not, and why: {mayNot.length}</summary>
          <ul>{mayNot.map((each) => <li key={each.nurse} dir="auto">{each.name}: {each.breaks.map((found) => found.detail).join("; ")}</li>)}</ul>
        </details>
      )}
    </section>
  );
}

interface Swapped {
  may: boolean;
  lines: string[];
  fails: unknown[];
  why_not: string | null;
}

function Swap({ path, sheet, given, onDone, onLeave }: { path: string; sheet: Sheet; given: Pair | null; onDone: Done; onLeave: () => void }) {
  const server = useServer();
  const [first, setFirst] = useState(given?.first ?? sheet.nurses[0]?.id ?? "");
  const [second, setSecond] = useState(given?.second ?? sheet.nurses[1]?.id ?? "");
  const [days, setDays] = useState<string[]>(given?.days ?? []);
  const [told, setTold] = useState<Swapped | null>(null);
  const [problem, setProblem] = useState("");
  const [reason, setReason] = useState("");
  const send = useSent<{ roster_id: string; lines: string[] }>(`${path}/swap`, (made) => onDone(made.roster_id, made.lines));
  const other = <T,>(set: (value: T) => void) => (value: T) => { set(value); setTold(null); };
  const chosen = (set: (id: string) => void) => (id: string) => { other(set)(id); setDays([]); };
  const differing = sheet.days.filter((day) => cell(sheet, first, day) !== cell(sheet, second, day));
  const look = async (event: FormEvent) => {
    event.preventDefault();
    const asked = new URLSearchParams([["first", first], ["second", second], ...days.map((day) => ["days", day])]);
    try {
      setTold(await (await server.ask(`${path}/swap?${asked}`)).json() as Swapped);
      setProblem("");
    } catch (error) {
      setTold(null);
      setProblem(said(error));
    }
  };
  return (
    <Card title="Swap two nurses">
      <form onSubmit={(event) => void look(event)}>
        <div className="fields">
          <Choice label="Nurse" value={first} onChange={chosen(setFirst)} options={sheet.nurses.map(called)} />
          <Choice label="with" value={second} onChange={chosen(setSecond)} options={sheet.nurses.filter((each) => each.id !== first).map(called)} />
        </div>
        <fieldset className="cells">
          <legend>What each has on the days that differ</legend>
          {differing.map((day) => (
            <label key={day}>
              <input type="checkbox" checked={days.includes(day)} onChange={(event) => other(setDays)(event.target.checked ? [...days, day].sort() : days.filter((each) => each !== day))} />{" "}
              {inWords(day)}: {cell(sheet, first, day) ?? OFF} ↔ {cell(sheet, second, day) ?? OFF}
            </label>
          ))}
          {!differing.length && <p className="hint">They have the same on every day.</p>}
        </fieldset>
        <button className={told ? "" : "yes"} disabled={!days.length}>Show what changes</button>
      </form>
      {problem && <p role="alert" dir="auto">{problem}</p>}
      <div role="status">{told && <Lines lines={told.lines} name="What changes" />}</div>
      {told?.why_not && told.may && <p role="alert" dir="auto">{told.why_not}</p>}
      {told && !told.why_not && (
        <form onSubmit={(event) => { event.preventDefault(); void send.send({ first, second, days, reason, with_problems: told.fails.length > 0 }); }}>
          {told.fails.length > 0 && <label className="check"><input type="checkbox" required /> Publish it with these problems</label>}
          <Confirm words="Swap them and publish it" reason={reason} onReason={setReason} isSending={send.isSending} onLeave={onLeave} />
        </form>
      )}
      {send.problem && <p role="alert" dir="auto">{send.problem}</p>}
    </Card>
  );
}

type Option = readonly [string, string];

function Choice({ label, value, onChange, options }: { label: string; value: string; onChange: (value: string) => void; options: Option[] }) {
  return (
    <label>
      {label}
      <select dir="auto" value={value} onChange={(event) => onChange(event.target.value)}>
        {options.map(([id, words]) => <option key={id} value={id}>{words}</option>)}
      </select>
    </label>
  );
}

const called = (each: Named): Option => [each.id, each.name && each.name !== each.id ? `${each.name} (${each.id})` : each.id];
const nameOf = (all: Named[], id: string) => called(all.find((each) => each.id === id) ?? { id, name: "" })[1];
const cell = (sheet: Sheet, nurse: string, day: string) => sheet.roster[nurse]?.[sheet.days.indexOf(day)] ?? null;
const costInWords = (cost: number) => (cost === 0 ? "the same cost" : `cost ${Math.abs(cost)} ${cost > 0 ? "more" : "less"}`);
const dayWithCell = (sheet: Sheet, day: string, nurse: string) => (nurse ? `${inWords(day)}: ${cell(sheet, nurse, day) ?? OFF}` : inWords(day));

/** A day of the roster, wherever the browser is. */
const inWords = (day: string) =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString(undefined, { weekday: "short", day: "numeric", month: "short", timeZone: "UTC" });
