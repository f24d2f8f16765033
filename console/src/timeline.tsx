import { useId } from "react";
import { type Call, words } from "./state";

const WORD: Record<Call["status"], string> = {
  ok: "done", partial: "partly done", error: "failed", timeout: "timed out", skipped: "skipped",
  cancelled: "stopped", running: "running", planned: "planned",
};

/** One bar a call, wave by wave; its length is its time, told in words too. Focus or hover opens arguments and result, Escape closes them. */
export function Timeline({ calls, isLive }: { calls: Call[]; isLive: boolean }) {
  const longest = Math.max(0.001, ...calls.map((call) => call.seconds));
  const waves = Map.groupBy(calls, (call) => call.wave);
  return (
    <details className="timeline" open={isLive || undefined}>
      <summary>{isLive ? "What it is doing" : `What it did: ${calls.length} ${calls.length === 1 ? "call" : "calls"}`}</summary>
      {[...waves].map(([wave, together]) => (
        <section key={wave}>
          <h3>{wave ? `Wave ${wave}` : together.some((call) => call.reused) ? "Known from before, or not run" : "Not run"}</h3>
          <ul>{together.map((call) => <Bar key={call.key} call={call} share={call.seconds / longest} />)}</ul>
        </section>
      ))}
    </details>
  );
}

function Bar({ call, share }: { call: Call; share: number }) {
  const id = useId();
  const status = call.reused ? "reused" : WORD[call.status];
  return (
    <li className="call">
      <button type="button" aria-describedby={id} onKeyDown={(event) => { if (event.key === "Escape") event.currentTarget.blur(); }} className={`bar-of ${call.reused ? "reused" : call.status}`}>
        <span className="tool">{words(call.tool)}</span>
        <meter min={0} max={1} value={call.status === "running" ? 1 : Math.max(0.03, share)} aria-hidden="true" />
        <span className="status">{status}{call.seconds > 0 && `, ${call.seconds.toFixed(2)} s`}</span>
      </button>
      <div role="tooltip" id={id} className="inside">
        {call.error && <p className="failed" dir="auto">{call.error}</p>}
        <h4>Arguments</h4>
        <pre>{JSON.stringify(call.args, null, 1)}</pre>
        {call.result !== undefined && call.result !== null && <><h4>Result</h4><pre>{shortened(call.result)}</pre></>}
      </div>
    </li>
  );
}

const MOST = 4000;

function shortened(result: unknown): string {
  const text = JSON.stringify(result, null, 1);
  return text.length > MOST ? `${text.slice(0, MOST)}\n… ${text.length - MOST} more characters` : text;
}
