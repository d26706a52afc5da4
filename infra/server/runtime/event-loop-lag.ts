/**
 * How late timers are, as Prometheus' client names it. The client itself looks every 10 ms, which wakes an idle process a hundred times a
 * second, and counts the interval as lag. Here a look is a second apart: a stall that lasts shows, a short one by chance.
 */
import { Gauge, type Registry } from 'prom-client';

const lookMilliseconds = 1_000;
/** Of an hour, where the metrics are not read. */
const maxLooks = 3_600;
/** The longest that a timer takes: so long the client does not look by itself. */
export const neverMilliseconds = 2_147_483_647;

const prefix = 'nodejs_eventloop_lag';

type Listener = (seconds: number) => void;

const listeners: Listener[] = [];

/** One timer, however many services share the process. */
const listenToLag = (listener: Listener): void => {
  listeners.push(listener);
  if (listeners.length > 1) return;
  let dueAt = performance.now() + lookMilliseconds;
  const look = (): void => {
    const now = performance.now();
    for (const one of listeners) one(Math.max(0, now - dueAt) / 1_000);
    dueAt = now + lookMilliseconds;
  };
  setInterval(look, lookMilliseconds).unref();
};

/** In seconds. */
const startLooking = () => {
  let lags: number[] = [];
  listenToLag((seconds) => {
    if (lags.length < maxLooks) lags.push(seconds);
  });
  /** Ascending; 0 before the first look. */
  const sorted = (): readonly number[] => (lags.length === 0 ? [0] : lags.toSorted((one, other) => one - other));
  return {
    sorted,
    reset: (): void => {
      lags = [];
    },
  };
};

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

const deviationOf = (values: readonly number[]): number => {
  const mean = meanOf(values);
  return Math.sqrt(meanOf(values.map((value) => (value - mean) ** 2)));
};

const quantile =
  (share: number) =>
  (ascending: readonly number[]): number =>
    ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))] ?? 0;

const readings: readonly (readonly [name: string, of: (ascending: readonly number[]) => number])[] = [
  ['min', quantile(0)],
  ['max', quantile(1)],
  ['mean', meanOf],
  ['stddev', deviationOf],
  ['p50', quantile(0.5)],
  ['p90', quantile(0.9)],
  ['p99', quantile(0.99)],
];

/** In place of the client's. `nodejs_eventloop_lag_seconds`, which it measures per scrape, stays. */
export const replaceLagMetrics = (registry: Registry): void => {
  const lag = startLooking();
  for (const [index, [name, statistic]] of readings.entries()) {
    const metric = `${prefix}_${name}_seconds`;
    registry.removeSingleMetric(metric);
    new Gauge({
      name: metric,
      help: `The ${name} of how late timers were since the metrics were read before.`,
      registers: [registry],
      collect() {
        this.set(statistic(lag.sorted()));
        // Metrics are collected in this order.
        if (index === readings.length - 1) lag.reset();
      },
    });
  }
};
