/** The rule of views as its guide states it, for comparison: slow, from all heartbeats at once, and without a state. */
import type { ReceivedHeartbeat } from '../../../infra/ports/video/heartbeats';

interface Accepted {
  readonly heartbeat: ReceivedHeartbeat;
  /** Sums of its playback up to it, included. */
  readonly credited: number;
  readonly isSuspicious: boolean;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** Heartbeats of one playback that are numbered beyond all before them, with what each may be credited. */
const acceptedOf = (heartbeats: readonly ReceivedHeartbeat[]): readonly (Accepted & { readonly credit: number })[] => {
  const accepted = heartbeats.filter((one, index) =>
    heartbeats.slice(0, index).every(({ sequence }) => sequence < one.sequence),
  );
  const credits: number[] = [];
  let isSuspicious = false;
  return accepted.map((heartbeat, index) => {
    const { issuedAt, receivedAt, watched } = heartbeat;
    const earlier = accepted.slice(0, index);
    const last = Math.max(issuedAt, ...earlier.map((one) => one.receivedAt));
    const elapsed = Math.max(0, receivedAt - issuedAt);
    const left = elapsed - sum(credits);
    const credit = Math.max(0, Math.min(watched, Math.max(0, receivedAt - last) + 5_000, left));
    credits.push(credit);
    const claimed = sum([...earlier, heartbeat].map((one) => one.watched));
    isSuspicious ||= claimed > 2 * elapsed + 60_000;
    return { heartbeat, credit, credited: sum(credits), isSuspicious };
  });
};

export interface ModelledViews {
  readonly plays: number;
  readonly viewers: number;
  readonly watchedMilliseconds: number;
  readonly shadowPlays: number;
  readonly shadowHeartbeats: number;
}

const groupsOf = <Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
): ReadonlyMap<string, readonly Item[]> => {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(nameOf(item), [...(groups.get(nameOf(item)) ?? []), item]);
  return groups;
};

/** Of one video, of heartbeats in the order in which they arrived. */
export const modelViews = (heartbeats: readonly ReceivedHeartbeat[]): ModelledViews => {
  const playbacks = [...groupsOf(heartbeats, ({ sessionId }) => sessionId).values()].map(acceptedOf);
  const needed = ({ duration }: ReceivedHeartbeat): number =>
    duration > 0 && duration < 60_000 ? duration / 2 : 30_000;
  const reached = playbacks.flatMap((accepted) => accepted.find((one) => one.credited >= needed(one.heartbeat)) ?? []);
  const order = new Map(heartbeats.map((one, index) => [one, index]));
  const plays = reached
    .filter(({ isSuspicious }) => !isSuspicious)
    .map(({ heartbeat }) => heartbeat)
    .sort((one, other) => (order.get(one) ?? 0) - (order.get(other) ?? 0));
  let viewers = 0;
  for (const ofViewer of groupsOf(plays, ({ viewerId }) => viewerId).values()) {
    let last: number | undefined;
    for (const { receivedAt } of ofViewer) {
      if (last !== undefined && receivedAt - last < 86_400_000) continue;
      viewers += 1;
      last = receivedAt;
    }
  }
  const all = playbacks.flat();
  return {
    plays: plays.length,
    viewers,
    watchedMilliseconds: sum(all.filter((one) => !one.isSuspicious).map(({ credit }) => credit)),
    shadowPlays: reached.length - plays.length,
    shadowHeartbeats: heartbeats.length - all.length,
  };
};
