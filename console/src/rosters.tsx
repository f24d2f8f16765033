import { useEffect, useRef, useState } from "react";
import { MakeRoster } from "./make";
import { RosterForms } from "./roster-forms";
import { moment, said, useAsked, useServer } from "./server";

interface Line {
  roster_id: string;
  ward: string;
  start: string;
  end: string;
  status: string;
  made_at: string;
}

interface Version {
  version: number;
  roster_id: string;
  status: string;
  start: string;
  end: string;
  by: string;
  at: string;
  reason: string;
}

const MAKE = "make";

/** `thing`: a roster's id, or `make` with the thread on which one is made; empty = the list. */
export function Rosters({ thing, open }: { thing: string; open: (thing: string) => void }) {
  const [told, setTold] = useState<{ of: string; lines: string[] }>({ of: "", lines: [] });
  const [place, thread = ""] = thing.split("/");
  if (place === MAKE) return <MakeRoster thread={thread} onThread={(id) => open(`${MAKE}/${id}`)} open={open} />;
  if (!thing) return <List open={open} />;
  const onDone = (of: string, lines: string[]) => { setTold({ of, lines }); open(of); };
  return <Roster key={thing} id={thing} open={open} told={told.of === thing ? told.lines : []} onDone={onDone} />;
}

function List({ open }: { open: (thing: string) => void }) {
  const [lines, error] = useAsked<Line[]>("/rosters");
  return (
    <section className="rosters" aria-label="Rosters">
      <div className="row">
        <h2>Rosters</h2>
        {!error && <button type="button" className="yes" onClick={() => open(MAKE)}>Make a roster …</button>}
      </div>
      {error && <p role="alert">{error}</p>}
      {!lines && !error && <p role="status" className="hint">Loading …</p>}
      {lines?.length === 0 && <p className="hint">None has been made yet.</p>}
      {lines && lines.length > 0 && (
        <table className="list">
          <thead><tr><th scope="col">Ward</th><th scope="col">Days</th><th scope="col">Status</th><th scope="col">Made</th><th scope="col">Roster</th></tr></thead>
          <tbody>
            {lines.map((line) => (
              <tr key={line.roster_id}>
                <th scope="row" dir="auto">{line.ward}</th>
                <td>{line.start} to {line.end}</td>
                <td><span className={`tag ${line.status.split(" ").at(-1)}`}>{line.status}</span></td>
                <td>made {moment(line.made_at)}</td>
                <td><button type="button" onClick={() => open(line.roster_id)}>Open {line.roster_id}</button></td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

interface RosterProps {
  id: string;
  open: (id: string) => void;
  /** What has just been done to it. */
  told: string[];
  onDone: (roster: string, lines: string[]) => void;
}

function Roster({ id, open, told, onDone }: RosterProps) {
  const path = `/rosters/${encodeURIComponent(id)}`;
  const [times, setTimes] = useState(0);
  const [versions, error] = useAsked<Version[]>(`${path}/versions`, times);
  const done = (of: string, lines: string[]) => { setTimes(times + 1); onDone(of, lines); };
  return (
    <section className="rosters" aria-label={`Roster ${id}`}>
      <div className="row">
        <button type="button" className="quiet" onClick={() => open("")}>← All rosters</button>
        {!error && <Download path={`${path}/files/roster.xlsx`} name={`roster-${id}.xlsx`} title="Excel" />}
        <div role="status" className="told">{told.length > 0 && <div className="notice done">{told.map((line) => <p key={line} dir="auto">{line}</p>)}</div>}</div>
      </div>
      {error && <p role="alert">{error}</p>}
      {!error && <RosterForms key={times} id={id} path={path} onDone={done} />}
      {versions && versions.length > 0 && <Versions versions={versions} current={id} open={open} />}
      {!error && <Page path={`${path}/page`} times={times} />}
    </section>
  );
}

function Versions({ versions, current, open }: { versions: Version[]; current: string; open: (id: string) => void }) {
  return (
    <details>
      <summary>Versions of this ward: {versions.length}</summary>
      <ul>
        {versions.map((version) => (
          <li key={version.version}>
            V{version.version}, {version.start} to {version.end}: {version.status}{version.by && ` by ${version.by}`} on {version.at.slice(0, 16).replace("T", " ")}
            {version.reason && <> – <span dir="auto">{version.reason}</span></>}{" "}
            {version.roster_id === current ? "(this one)" : <button type="button" className="quiet" onClick={() => open(version.roster_id)}>Open</button>}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** A link cannot send the token, so the file is fetched first. */
function Download({ path, name, title }: { path: string; name: string; title: string }) {
  const server = useServer();
  const [problem, setProblem] = useState("");
  const fetched = async () => {
    try {
      const address = URL.createObjectURL(await (await server.ask(path)).blob());
      Object.assign(document.createElement("a"), { href: address, download: name }).click();
      setTimeout(() => URL.revokeObjectURL(address), 60_000);
      setProblem("");
    } catch (error) {
      setProblem(said(error));
    }
  };
  return <><button type="button" onClick={() => void fetched()}>{title}</button>{problem && <span role="alert">{problem}</span>}</>;
}

/** The roster's own page, as the program writes it to a file, with its style to itself. */
function Page({ path, times }: { path: string; times: number }) {
  const server = useServer();
  const place = useRef<HTMLDivElement>(null);
  const [error, setError] = useState("");
  useEffect(() => {
    let isCurrent = true;
    server.ask(path).then((reply) => reply.text()).then(
      (html) => { if (isCurrent && place.current) show(html, place.current); },
      (reason: unknown) => { if (isCurrent) setError(said(reason)); },
    );
    return () => { isCurrent = false; };
  }, [server, path, times]);
  return <>{error && <p role="alert">{error}</p>}<div ref={place} className="roster-page" /></>;
}

function show(html: string, place: HTMLElement) {
  const rules: string[] = [];
  const unstyled = html.replace(/<style[^>]*>([^]*?)<\/style>/g, (_, each: string) => (rules.push(each), ""));
  const page = new DOMParser().parseFromString(unstyled, "text/html");
  const root = place.shadowRoot ?? place.attachShadow({ mode: "open" });
  const style = new CSSStyleSheet();
  style.replaceSync(rules.join("\n").replaceAll(":root", ":host").replace(/(^|[\s,}])(html|body)(?=[\s,{])/g, "$1:host"));
  root.adoptedStyleSheets = [style];
  root.replaceChildren(...[...page.body.childNodes].map((node) => document.importNode(node, true)));
  root.addEventListener("click", (event) => follow(event, root));
}

/** Findings link to their cells and back: within the page, which the address of the console does not know. */
function follow(event: Event, root: ShadowRoot) {
  const link = (event.target as Element).closest("a[href^='#'], [href^='#']");
  const target = link && root.getElementById(decodeURIComponent(link.getAttribute("href")!.slice(1)));
  if (!target) return;
  event.preventDefault();
  target.scrollIntoView({ block: "center", inline: "center" });
  if (!target.hasAttribute("tabindex")) target.setAttribute("tabindex", "-1");
  target.focus({ preventScroll: true });
}
