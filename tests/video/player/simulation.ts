/** Plays a film over a network whose speed is a trace, in steps of a tick. Deterministic. */

/** Bits per second at a time. */
export type Trace = (seconds: number) => number;

export interface Film {
  readonly bitRates: readonly number[];
  readonly segmentSeconds: number;
  readonly segments: number;
}

interface Progress {
  readonly variant: number;
  readonly bufferSeconds: number;
  readonly startedAt: number;
  /** When the first byte came; undefined while none did. */
  readonly firstAt: number | undefined;
  readonly now: number;
  readonly loadedBits: number;
  readonly expectedBits: number;
}

/** A controller, as the simulated player calls it. */
export interface Policy {
  readonly choose: (now: number, bufferSeconds: number) => number;
  readonly started: (progress: Progress) => void;
  /** True: the segment is abandoned, and `choose` is called again. */
  readonly abandons: (progress: Progress) => boolean;
  readonly loaded: (progress: Progress) => void;
}

export interface Played {
  readonly stalls: number;
  readonly stalledSeconds: number;
  readonly startSeconds: number;
  readonly switches: number;
  readonly meanBitRate: number;
}

const tick = 0.05;
const latencySeconds = 0.08;
const bufferTargetSeconds = 30;
const longestSeconds = 7_200;

export const simulate = (film: Film, trace: Trace, policy: Policy): Played => {
  const { bitRates, segmentSeconds, segments } = film;
  let [now, buffer, played, loadedSegments] = [0, 0, 0, 0];
  let [stalls, stalledSeconds, startSeconds, switches, totalRate] = [0, 0, 0, 0, 0];
  let [isStarted, isStalled] = [false, false];
  let before: number | undefined;
  let loading: Omit<Progress, 'bufferSeconds' | 'now'> | undefined;
  const progressOf = (one: Omit<Progress, 'bufferSeconds' | 'now'>): Progress => ({
    ...one,
    bufferSeconds: buffer,
    now,
  });
  while (played < segments * segmentSeconds - tick && now < longestSeconds) {
    if (loading === undefined && loadedSegments < segments && buffer < bufferTargetSeconds) {
      const variant = policy.choose(now, buffer);
      const expectedBits = (bitRates[variant] ?? Number.NaN) * segmentSeconds;
      loading = { variant, startedAt: now, firstAt: undefined, loadedBits: 0, expectedBits };
      policy.started(progressOf(loading));
    }
    now += tick;
    if (loading !== undefined && now - loading.startedAt > latencySeconds) {
      const loadedBits = Math.min(loading.expectedBits, loading.loadedBits + trace(now) * tick);
      loading = { ...loading, loadedBits, firstAt: loading.firstAt ?? (loadedBits > 0 ? now : undefined) };
    }
    if (loading !== undefined && loading.loadedBits >= loading.expectedBits) {
      buffer += segmentSeconds;
      loadedSegments += 1;
      const { variant } = loading;
      totalRate += bitRates[variant] ?? 0;
      if (before !== undefined && before !== variant) switches += 1;
      before = variant;
      policy.loaded(progressOf(loading));
      loading = undefined;
      if (!isStarted) startSeconds = now;
      isStarted = true;
    } else if (loading !== undefined && policy.abandons(progressOf(loading))) loading = undefined;
    if (!isStarted) continue;
    if (buffer >= tick) {
      buffer -= tick;
      played += tick;
      isStalled = false;
    } else {
      if (!isStalled) stalls += 1;
      isStalled = true;
      stalledSeconds += tick;
    }
  }
  return { stalls, stalledSeconds, startSeconds, switches, meanBitRate: totalRate / Math.max(1, loadedSegments) };
};
