import type { AnswerCheck } from "../../app/serving/declarations/agent";
import { detours, type Event, type State, words } from "./state";

export function Detours({ state }: { state: State }) {
  const found = detours(state);
  if (!found.length) return null;
  return (
    <details className="detours">
      <summary>What went wrong, and what was tried instead: {found.length}</summary>
      <ul>
        {found.map(({ issue, tried }, index) => (
          <li key={index}>
            <span className={`tag ${issue.severity}`}>{issue.severity}</span> <span dir="auto">{issue.message}</span>
            {tried.length > 0 && <> → tried {tried.map(words).join(", ")}</>}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** The answer check, criterion by criterion. */
export function AnswerChecked({ check }: { check: AnswerCheck | undefined }) {
  if (!check || check.checked_by === "off") return null;
  return (
    <details>
      <summary>
        <span className={`tag ${check.satisfied ? "ok" : "error"}`}>{check.satisfied ? "answer checked" : "answer doubted"}</span> by {check.checked_by}
      </summary>
      <ul>
        {check.criteria.map((criterion, index) => (
          <li key={index}>
            {words(criterion.name)}: {criterion.verdict === "pass" ? "holds" : `lacking – ${criterion.gap ?? "no reason given"}`}
          </li>
        ))}
      </ul>
      <p dir="auto">{check.reasoning}</p>
    </details>
  );
}

/** Limits that were reached, and what models were used for. */
export function Costs({ state, events }: { state: State; events: Event[] }) {
  const limits = events.filter((event) => event.event === "limit_reached");
  const usage = Object.entries(state.usage ?? {});
  return (
    <>
      {limits.map((event, index) => (
        <p key={index} className="notice">
          Limit reached: {words(event.limit)}; {event.done} done{event.left_undone.length > 0 && `, left undone: ${event.left_undone.join(", ")}`}.
        </p>
      ))}
      <details>
        <summary>{usage.length ? `Models: ${usage.reduce((sum, [, use]) => sum + use.calls, 0)} calls` : "No model was used"}</summary>
        <p>{state.waves ?? 0} waves, {state.adaptations ?? 0} adaptations.</p>
        <ul>
          {usage.map(([model, use]) => (
            <li key={model}>{model}: {use.calls} {use.calls === 1 ? "call" : "calls"}, {use.input} tokens in, {use.output} out</li>
          ))}
        </ul>
      </details>
    </>
  );
}
