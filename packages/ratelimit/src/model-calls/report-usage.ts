/** Settles a reservation while the response streams, and once at its end. */
import type { Limiter, SettleOutcome, Weight } from '../decision/decision';

export interface UsageReportOptions {
  readonly limiter: Pick<Limiter, 'settle'>;
  readonly reservationId: string;
  readonly tenant?: string | undefined;
  /** Report after this many more tokens, or after this time, whichever comes first. */
  readonly everyTokens?: number;
  readonly everyMilliseconds?: number;
  /** Waits before each retry while the store is unavailable. */
  readonly retryMilliseconds?: readonly number[];
  readonly wait?: (milliseconds: number) => Promise<void>;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

export interface UsageReporter {
  readonly soFar: (weight: Weight) => void;
  /** Idempotent: later calls return the first outcome. */
  readonly finish: (actual: Weight | 'refund') => Promise<SettleOutcome>;
}

const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref();
  });

const tokensOf = ({ inputTokens = 0, outputTokens = 0 }: Weight): number => inputTokens + outputTokens;

type ReservationReference = Pick<UsageReportOptions, 'reservationId'> & { readonly tenant?: string };

const reservationOf = ({ reservationId, tenant }: UsageReportOptions): ReservationReference =>
  tenant === undefined ? { reservationId } : { reservationId, tenant };

const settleFinally = async (options: UsageReportOptions, actual: Weight | 'refund'): Promise<SettleOutcome> => {
  const { limiter, retryMilliseconds = [250, 1_000, 4_000], wait = sleep } = options;
  const settle = () => limiter.settle({ ...reservationOf(options), actual, final: true });
  let outcome = await settle();
  for (const milliseconds of retryMilliseconds) {
    if (outcome !== 'unavailable') return outcome;
    await wait(milliseconds);
    outcome = await settle();
  }
  return outcome;
};

/** One report at a time, and only with new usage. */
const createProgressReport = (options: UsageReportOptions) => {
  const { limiter, everyTokens = 1_000, everyMilliseconds = 1_000, now = () => performance.now() } = options;
  let reported = { tokens: 0, at: now() };
  let isReporting = false;
  const isDue = (tokens: number): boolean =>
    tokens - reported.tokens >= everyTokens || (tokens > reported.tokens && now() - reported.at >= everyMilliseconds);
  return (weight: Weight): void => {
    const tokens = tokensOf(weight);
    if (isReporting || !isDue(tokens)) return;
    reported = { tokens, at: now() };
    isReporting = true;
    void limiter
      .settle({ ...reservationOf(options), actual: weight, final: false })
      // The final settlement includes this usage.
      .catch(() => undefined)
      .finally(() => {
        isReporting = false;
      });
  };
};

export const createUsageReporter = (options: UsageReportOptions): UsageReporter => {
  const report = createProgressReport(options);
  let finished: Promise<SettleOutcome> | undefined;
  return {
    soFar: (weight) => {
      if (finished === undefined) report(weight);
    },
    finish: (actual) => {
      finished ??= settleFinally(options, actual);
      return finished;
    },
  };
};
