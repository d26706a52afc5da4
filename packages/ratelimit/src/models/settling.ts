/** Tells the limiter what a reserved request came to: now and then while it goes on, and at the end, once. */
import type { Limiter, SettleOutcome, Weight } from '../decision';

export interface SettlingOptions {
  readonly limiter: Pick<Limiter, 'settle'>;
  readonly reservationId: string;
  readonly tenant?: string | undefined;
  /** While it goes on it is told after so many tokens more, or that much later, whichever is first. */
  readonly everyTokens?: number;
  readonly everyMilliseconds?: number;
  /** How long to wait before each further try where the store cannot be asked. */
  readonly againMilliseconds?: readonly number[];
  readonly wait?: (milliseconds: number) => Promise<void>;
  /** In milliseconds, of a clock that never steps. */
  readonly now?: () => number;
}

export interface SettlingOf {
  readonly soFar: (weight: Weight) => void;
  /** Says the same again when asked again. */
  readonly finish: (actual: Weight | 'refund') => Promise<SettleOutcome>;
}

const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref();
  });

const tokensOf = ({ inputTokens = 0, outputTokens = 0 }: Weight): number => inputTokens + outputTokens;

type Told = Pick<SettlingOptions, 'reservationId'> & { readonly tenant?: string };

const toldOf = ({ reservationId, tenant }: SettlingOptions): Told =>
  tenant === undefined ? { reservationId } : { reservationId, tenant };

const finishing = async (options: SettlingOptions, actual: Weight | 'refund'): Promise<SettleOutcome> => {
  const { limiter, againMilliseconds = [250, 1_000, 4_000], wait = sleep } = options;
  const settle = () => limiter.settle({ ...toldOf(options), actual, final: true });
  let outcome = await settle();
  for (const milliseconds of againMilliseconds) {
    if (outcome !== 'unavailable') return outcome;
    await wait(milliseconds);
    outcome = await settle();
  }
  return outcome;
};

/** One at a time, and none that says nothing new: what was told last holds until the next. */
const telling = (options: SettlingOptions) => {
  const { limiter, everyTokens = 1_000, everyMilliseconds = 1_000, now = () => performance.now() } = options;
  let told = { tokens: 0, at: now() };
  let underWay = false;
  const isDue = (tokens: number): boolean =>
    tokens - told.tokens >= everyTokens || (tokens > told.tokens && now() - told.at >= everyMilliseconds);
  return (weight: Weight): void => {
    const tokens = tokensOf(weight);
    if (underWay || !isDue(tokens)) return;
    told = { tokens, at: now() };
    underWay = true;
    void limiter
      .settle({ ...toldOf(options), actual: weight, final: false })
      // The end says all of it once more.
      .catch(() => undefined)
      .finally(() => {
        underWay = false;
      });
  };
};

export const settling = (options: SettlingOptions): SettlingOf => {
  const tell = telling(options);
  let finished: Promise<SettleOutcome> | undefined;
  return {
    soFar: (weight) => {
      if (finished === undefined) tell(weight);
    },
    finish: (actual) => {
      finished ??= finishing(options, actual);
      return finished;
    },
  };
};
