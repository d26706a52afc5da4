/**
 * Tells others of decisions: once a second what was decided in it, into a stream of bounded length. No decision waits for it; what
 * cannot be told is dropped and counted. Batches have ids, so that nobody who reads twice counts twice.
 */
import { randomUUID } from 'node:crypto';
import type { Log } from '../../ports/log';
import type { Metrics } from '../../ports/metrics';
import type { RateLimiting } from './deciding';
import { type DecisionSum, openSums } from './sums';

export interface DecisionBatch {
  readonly batch: string;
  /** Milliseconds since 1970, both. */
  readonly from: number;
  readonly to: number;
  readonly decisions: readonly DecisionSum[];
}

export interface TelemetryOptions {
  /** Rejects when it cannot be kept. */
  readonly append: (batch: DecisionBatch) => Promise<void>;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly everyMilliseconds?: number;
}

export interface Telemetry {
  readonly decided: RateLimiting['decided'];
  /** Tells what is left. */
  readonly close: () => Promise<void>;
}

const countOf = (sums: readonly DecisionSum[]): number => sums.reduce((all, { decisions }) => all + decisions, 0);

/** One at a time: a store that answers slowly costs batches rather than memory. */
const sender = ({ append, metrics, log }: TelemetryOptions) => {
  const dropped = metrics.counter({
    name: 'ratelimit_telemetry_dropped_total',
    help: 'Decisions that nobody was told of.',
  });
  const told = metrics.counter({ name: 'ratelimit_telemetry_told_total', help: 'Decisions that others were told of.' });
  let sending: Promise<void> | undefined;
  let failing = false;
  const sent = async (batch: DecisionBatch): Promise<void> => {
    try {
      await append(batch);
      told({}, countOf(batch.decisions));
      failing = false;
    } catch (error) {
      dropped({}, countOf(batch.decisions));
      if (!failing) log.warn({ error }, 'decisions cannot be told of: they are dropped');
      failing = true;
    }
    sending = undefined;
  };
  return {
    send: (batch: DecisionBatch): void => {
      if (sending === undefined) sending = sent(batch);
      else dropped({}, countOf(batch.decisions));
    },
    idle: async (): Promise<void> => sending,
  };
};

export const openTelemetry = (options: TelemetryOptions): Telemetry => {
  const sums = openSums();
  const sending = sender(options);
  const source = randomUUID();
  let [number, from] = [0, Date.now()];
  const tell = (): void => {
    const [decisions, to] = [sums.taken(), Date.now()];
    if (decisions.length > 0) {
      number += 1;
      sending.send({ batch: `${source}-${number}`, from, to, decisions });
    }
    from = to;
  };
  const timer = setInterval(tell, options.everyMilliseconds ?? 1_000).unref();
  return {
    decided: sums.decided,
    close: async () => {
      clearInterval(timer);
      await sending.idle();
      tell();
      await sending.idle();
    },
  };
};
