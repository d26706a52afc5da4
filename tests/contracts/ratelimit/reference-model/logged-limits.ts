/** Limits that remember each request that they let pass. */
import { atLeastZero, type ModelLimit, most } from './arithmetic';

export const slidingLogLimit = (limit: bigint, period: bigint): ModelLimit => {
  let entries: { readonly at: bigint; readonly cost: bigint; readonly which: number }[] = [];
  let takenSoFar = 0;
  const sum = (some: typeof entries): bigint => some.reduce((total, { cost }) => total + cost, 0n);
  const nowOf = (clock: bigint): bigint => most(clock, entries.at(-1)?.at ?? 0n);
  const within = (now: bigint) => entries.filter(({ at }) => at > now - period);
  return {
    check: (cost, clock) => {
      const now = nowOf(clock);
      const live = within(now);
      const over = sum(live) + cost > limit;
      if (!over) return { over, remaining: limit - sum(live) - cost, wait: 0n };
      const freeing = live.findIndex((_, index) => sum(live.slice(index + 1)) + cost <= limit);
      return { over, remaining: atLeastZero(limit - sum(live)), wait: (live[freeing]?.at ?? 0n) + period - clock };
    },
    take: (cost, clock) => {
      const now = nowOf(clock);
      entries = [...within(now), { at: now, cost, which: takenSoFar }];
      takenSoFar += 1;
    },
    correct: (taken, delta) => {
      entries = entries
        .map((entry) => (entry.which === taken.which ? { ...entry, cost: entry.cost + delta } : entry))
        .filter(({ cost }) => cost > 0n);
    },
  };
};

export const concurrencyLimit = (limit: bigint, lease: bigint): ModelLimit => {
  let slots: { readonly end: bigint; readonly which: number; readonly one: bigint }[] = [];
  let takenSoFar = 0;
  const live = (clock: bigint) => slots.filter(({ end }) => end > clock);
  return {
    check: (cost, clock) => {
      const ends = live(clock)
        .map(({ end }) => end)
        .toSorted((one, other) => Number(one - other));
      const missing = BigInt(ends.length) + cost - limit;
      const over = missing > 0n;
      const left = atLeastZero(limit - BigInt(ends.length) - (over ? 0n : cost));
      return { over, remaining: left, wait: over ? (ends[Number(missing) - 1] ?? clock) - clock : 0n };
    },
    take: (cost, clock) => {
      const which = takenSoFar;
      takenSoFar += 1;
      const taken = Array.from({ length: Number(cost) }, (_, at) => ({ end: clock + lease, which, one: BigInt(at) }));
      slots = [...live(clock), ...taken];
    },
    /** Finished requests hold nothing; none is added afterwards. */
    correct: ({ cost, which }, delta) => {
      slots = slots.filter((slot) => slot.which !== which || slot.one < cost + delta);
    },
  };
};
