/**
 * Circuit breaker for the store. Closed until too many faults in a row, or too large a share of slow answers; open for
 * a time that doubles; then half-open: one probe at a time, and enough good probes in a row close it. The caller passes
 * the time.
 */

export interface BreakerOptions {
  /** Faults in a row that open it. */
  readonly faults: number;
  /** An answer that takes longer is slow. */
  readonly slowMilliseconds: number;
  /** Opens when more than this share of the last `slowOf` answers was slow. */
  readonly slowShare: number;
  readonly slowOf: number;
  /** Doubled each time that it opens again without having closed. */
  readonly openMilliseconds: number;
  readonly longestOpenMilliseconds: number;
  /** Good probes in a row that close it. */
  readonly goodProbes: number;
}

export const breakerDefaults: BreakerOptions = {
  faults: 5,
  slowMilliseconds: 25,
  slowShare: 0.5,
  slowOf: 100,
  openMilliseconds: 250,
  longestOpenMilliseconds: 4_000,
  goodProbes: 5,
};

export type BreakerState = 'closed' | 'open' | 'half-open';

/** Permission for one request. Results of permits from before the last change of state are ignored. */
export interface BreakerPermit {
  readonly generation: number;
}

export interface CircuitBreaker {
  /** Undefined: the call is not permitted. */
  readonly admit: (now: number) => BreakerPermit | undefined;
  readonly answered: (permit: BreakerPermit, tookMilliseconds: number, now: number) => void;
  readonly failed: (permit: BreakerPermit, reason: string, now: number) => void;
  /** A new connection allows a probe at once. */
  readonly reconnected: () => void;
  readonly metrics: () => BreakerMetrics;
}

export interface BreakerMetrics {
  readonly state: BreakerState;
  readonly opened: number;
  /** Reasons for opening, the latest last. */
  readonly reasons: readonly string[];
}

const maxReasons = 5;

/** Share of slow answers among the latest. */
const createSlowWindow = (size: number) => {
  let slow = new Uint8Array(size);
  let [at, count, sum] = [0, 0, 0];
  return {
    add: (isSlow: boolean): void => {
      sum += Number(isSlow) - (slow[at] ?? 0);
      slow[at] = Number(isSlow);
      at = (at + 1) % size;
      count = Math.min(size, count + 1);
    },
    isMostly: (share: number): boolean => count === size && sum > share * size,
    forget: (): void => {
      slow = new Uint8Array(size);
      [at, count, sum] = [0, 0, 0];
    },
  };
};

export const createCircuitBreaker = (options: BreakerOptions = breakerDefaults): CircuitBreaker => {
  const answers = createSlowWindow(options.slowOf);
  let state: BreakerState = 'closed';
  let permit: BreakerPermit = { generation: 0 };
  let [faults, good, until, opened, reopened] = [0, 0, 0, 0, 0];
  let isProbing = false;
  const reasons: string[] = [];

  const changeState = (next: BreakerState): void => {
    state = next;
    permit = { generation: permit.generation + 1 };
    [faults, good, isProbing] = [0, 0, false];
    answers.forget();
  };
  const open = (reason: string, now: number): void => {
    changeState('open');
    opened += 1;
    until = now + Math.min(options.longestOpenMilliseconds, options.openMilliseconds * 2 ** Math.min(reopened, 30));
    reopened += 1;
    reasons.push(reason);
    if (reasons.length > maxReasons) reasons.shift();
  };
  const probed = (): void => {
    isProbing = false;
    good += 1;
    if (good < options.goodProbes) return;
    changeState('closed');
    reopened = 0;
  };

  return {
    admit: (now) => {
      if (state === 'closed') return permit;
      if (state === 'open' && now >= until) changeState('half-open');
      if (state === 'open' || isProbing) return undefined;
      isProbing = true;
      return permit;
    },
    answered: ({ generation }, took, now) => {
      if (generation !== permit.generation) return;
      const isSlow = took > options.slowMilliseconds;
      if (state === 'half-open') return isSlow ? open('slow', now) : probed();
      faults = 0;
      answers.add(isSlow);
      if (answers.isMostly(options.slowShare)) open('slow', now);
    },
    failed: ({ generation }, reason, now) => {
      if (generation !== permit.generation) return;
      faults += 1;
      if (state === 'half-open' || faults >= options.faults) open(reason, now);
    },
    reconnected: () => {
      if (state === 'open') changeState('half-open');
    },
    metrics: () => ({ state, opened, reasons: [...reasons] }),
  };
};
