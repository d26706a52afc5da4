/** Where the jobs of a run are drawn: one box per key, to the right of all that it needs. */

export interface GraphJob {
  readonly key: string;
  readonly needs: readonly string[];
}

export interface GraphNode<Job extends GraphJob> {
  readonly key: string;
  /** More than one of a matrix. */
  readonly jobs: readonly Job[];
  readonly level: number;
  readonly row: number;
  readonly x: number;
  readonly y: number;
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  /** A path of SVG. */
  readonly path: string;
}

export interface GraphLayout<Job extends GraphJob> {
  readonly nodes: readonly GraphNode<Job>[];
  readonly edges: readonly GraphEdge[];
  readonly width: number;
  readonly height: number;
}

export const nodeWidth = 200;
export const nodeHeight = 52;
const gapX = 56;
const gapY = 14;

function groupedByKey<Job extends GraphJob>(jobs: readonly Job[]): ReadonlyMap<string, readonly Job[]> {
  const groups = new Map<string, Job[]>();
  for (const job of jobs) {
    const group = groups.get(job.key);
    if (group === undefined) groups.set(job.key, [job]);
    else group.push(job);
  }
  return groups;
}

/** Levels in the order of needs. Keys in a cycle, which the server refuses, come last. */
const levelsOf = (needs: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, number> => {
  const levels = new Map<string, number>();
  const open = new Set(needs.keys());
  for (let level = 0; open.size > 0; level += 1) {
    const ready = [...open].filter((key) => (needs.get(key) ?? []).every((needed) => !open.has(needed)));
    for (const key of ready.length === 0 ? [...open] : ready) {
      levels.set(key, level);
      open.delete(key);
    }
  }
  return levels;
};

export function layOutGraph<Job extends GraphJob>(jobs: readonly Job[]): GraphLayout<Job> {
  const groups = groupedByKey(jobs);
  const needs = new Map([...groups].map(([key, group]) => [key, group[0]?.needs ?? []]));
  const levels = levelsOf(needs);
  const rows = new Map<number, number>();
  const nodes = [...groups]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([key, group]) => {
      const level = levels.get(key) ?? 0;
      const row = rows.get(level) ?? 0;
      rows.set(level, row + 1);
      return { key, jobs: group, level, row, x: level * (nodeWidth + gapX), y: row * (nodeHeight + gapY) };
    });
  const byKey = new Map(nodes.map((node) => [node.key, node]));
  const edges = nodes.flatMap((to) =>
    (needs.get(to.key) ?? []).flatMap((needed) => {
      const from = byKey.get(needed);
      if (from === undefined) return [];
      const [x1, y1] = [from.x + nodeWidth, from.y + nodeHeight / 2];
      const [x2, y2] = [to.x, to.y + nodeHeight / 2];
      // Along its own row to the last gap, and there to the other row: it passes behind few boxes.
      const bend = x2 - gapX;
      const middle = x2 - gapX / 2;
      const path = `M${x1} ${y1} H${bend} C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`;
      return [{ from: needed, to: to.key, path }];
    }),
  );
  return {
    nodes,
    edges,
    width: Math.max(0, ...nodes.map(({ x }) => x + nodeWidth)),
    height: Math.max(0, ...nodes.map(({ y }) => y + nodeHeight)),
  };
}

/** Jobs in the order of the graph: what a job needs comes before it, those of a matrix by name. */
export function inGraphOrder<Job extends GraphJob & { readonly name: string }>(jobs: readonly Job[]): readonly Job[] {
  return layOutGraph(jobs)
    .nodes.toSorted((one, other) => one.level - other.level || one.row - other.row)
    .flatMap((node) => node.jobs.toSorted((one, other) => one.name.localeCompare(other.name)));
}
