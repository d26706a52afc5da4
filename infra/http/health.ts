/** What a process says of itself to operators: its parts, why one is not whole, and since when. */
import type { Health, PartHealth } from '../ports/health';
import { version } from '../version';

/** A part may wait for a store longer than anybody waits for this. */
const usualMilliseconds = 5_000;

const untold: Health = {
  ready: false,
  parts: { health: { ok: false, detail: 'It could not be told in time: something does not answer.' } },
};

const within = async (health: () => Promise<Health>, milliseconds: number): Promise<Health> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Health>((resolve) => {
    timer = setTimeout(() => resolve(untold), milliseconds);
  });
  try {
    return await Promise.race([health(), late]);
  } finally {
    clearTimeout(timer);
  }
};

export interface Report extends Health {
  readonly version: string;
  readonly uptimeSeconds: number;
}

/** `since` is when a part was first seen not to be whole; who asks every few seconds learns it that exactly. */
export const reportOf = (health: () => Promise<Health>, milliseconds = usualMilliseconds): (() => Promise<Report>) => {
  const broken = new Map<string, string>();
  const dated = (name: string, part: PartHealth): PartHealth => {
    if (part.ok) broken.delete(name);
    else broken.set(name, broken.get(name) ?? new Date().toISOString());
    const since = broken.get(name);
    return since === undefined ? part : { ...part, since };
  };
  return async () => {
    const { ready, parts } = await within(health, milliseconds);
    const told = Object.entries(parts).map(([name, part]) => [name, dated(name, part)] as const);
    return { ready, parts: Object.fromEntries(told), version, uptimeSeconds: Math.floor(process.uptime()) };
  };
};
