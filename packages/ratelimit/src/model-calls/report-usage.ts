/** Tells the limiter what a reserved request came to: now and then while it goes on, and at the end, once. */
import type { Limiter, SettleOutcome, Weight } from '../decision/decision';

export interface UsageReportOptions {
  readonly limiter: Pick<Limiter, 'settle'>;
  readonly reservationId: string;
  readonly tenant?: string | undefined;
  /** While it goes on it is told after so many tokens more, or that much later, whichever is first. */
  readonly everyTokens?: number;
  readonly everyMilliseconds?: number;
  /** How long to wait before each further try where the store cannot be asked. */
  readonly retryMilliseconds?: readonly number[];
  readonly wait?: (milliseconds: number) => Promise<void>;
  /** In milliseconds, of a clock that never steps. */
  readonly now?: () => number;
}

export interface UsageReporter {
  readonly soFar: (weight: Weight) => void;
  /** Says the same again when asked again. */
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

/** One at a time, and none that says nothing new: what was told last holds until the next. */
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
      // The end says all of it once more.
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
