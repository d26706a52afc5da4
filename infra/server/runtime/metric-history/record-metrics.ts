/** Samples the process's metrics at every step of the clock, until the signal aborts, and hands them to the shared history. */
import { isLeft } from 'fp-ts/Either';
import type { Log } from '../../../ports/runtime/log';
import type { MetricHistoryWriter } from '../../../ports/runtime/metric-history';
import { pause } from '../backoff';
import { sampleSeconds } from './history-windows';
import type { MetricSampler } from './sample-metrics';

interface Recorder {
  readonly metrics: MetricSampler;
  /** Undefined: samples are only kept until the next ones. */
  readonly history: MetricHistoryWriter | undefined;
  readonly log: Log;
  readonly signal: AbortSignal;
}

const stepMilliseconds = sampleSeconds * 1_000;

export const recordMetrics = async ({ metrics, history, log, signal }: Recorder): Promise<void> => {
  let before = Date.now();
  let wasLost = false;
  for (;;) {
    await pause(stepMilliseconds - (Date.now() % stepMilliseconds), signal);
    if (signal.aborted) return;
    const now = Date.now();
    // Less than a step has passed since the start only: what it counted is of this step, as of a process that was there all along.
    const samples = await metrics.sample(Math.max(sampleSeconds, (now - before) / 1_000));
    before = now;
    const step = Math.round(now / stepMilliseconds) - 1;
    const recorded = await history?.record(step * stepMilliseconds, samples);
    const isLost = recorded !== undefined && isLeft(recorded);
    // Health and the launcher report that Redis does not answer.
    if (isLost && !wasLost) log.info({ fault: recorded.left }, 'metrics are not recorded');
    if (!isLost && wasLost) log.info({}, 'metrics are recorded again');
    wasLost = isLost;
  }
};
