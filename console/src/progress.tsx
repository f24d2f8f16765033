import type { Event } from "./state";

interface Point { seconds: number; cost: number; bound: number | null; iteration: number }

/** Cost and bound of a solve while it runs: the newest figures in words, and how they came. */
export function Progress({ events }: { events: Event[] }) {
  const points = events.flatMap((event) => (event.event === "tool_progress" ? point(event.progress) : []));
  const newest = points.at(-1);
  if (!newest) return null;
  return (
    <figure className="progress">
      <figcaption>
        Round {newest.iteration}, {newest.seconds.toFixed(1)} s: cost {newest.cost}
        {newest.bound !== null && `, and no roster can cost less than ${newest.bound}`}
      </figcaption>
      <Curve points={points.filter((one) => one.iteration === newest.iteration)} />
    </figure>
  );
}

function point(progress: Record<string, unknown>): Point[] {
  const { cost, bound, seconds, iteration } = progress;
  if (typeof cost !== "number" || typeof seconds !== "number") return [];
  return [{ cost, seconds, bound: typeof bound === "number" ? bound : null, iteration: Number(iteration ?? 1) }];
}

const WIDTH = 320;
const HEIGHT = 80;

/** On a logarithmic scale: the first roster costs far more than the last. */
function Curve({ points }: { points: Point[] }) {
  const last = Math.max(0.1, ...points.map((one) => one.seconds));
  const heights = points.flatMap((one) => [one.cost, one.bound ?? one.cost]).map((cost) => Math.log1p(Math.max(0, cost)));
  const [low, high] = [Math.min(...heights), Math.max(...heights, Math.min(...heights) + 0.1)];
  const y = (cost: number) => HEIGHT - 4 - ((Math.log1p(Math.max(0, cost)) - low) / (high - low)) * (HEIGHT - 8);
  const line = (value: (one: Point) => number | null) =>
    points.flatMap((one) => { const given = value(one); return given === null ? [] : [`${((one.seconds / last) * WIDTH).toFixed(1)},${y(given).toFixed(1)}`]; }).join(" ");
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label="Cost (falling) and bound (rising) over time">
      <polyline className="cost" points={line((one) => one.cost)} />
      <polyline className="bound" points={line((one) => one.bound)} />
    </svg>
  );
}
