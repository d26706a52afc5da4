/** Views that let others go first: while another one reads the past, each of their writes waits a moment. */

import type { ViewWriter } from '../../../infra/ports/views/view-store';
import { pause } from '../../../infra/server/runtime/backoff';
import type { Phase, Tracker } from './view-status';

/** A low-priority write waits for at most this multiple of the previous write's duration, because the other views may never catch up. */
const share = 8;
const [shortestMilliseconds, longestMilliseconds] = [250, 5_000];
const stepMilliseconds = 25;

const busy: ReadonlySet<Phase> = new Set(['catching-up', 'rebuilding']);

export interface ForegroundViews {
  /** Trackers of all views without low priority. */
  readonly trackers: readonly Pick<Tracker, 'status'>[];
  readonly signal: AbortSignal;
}

const isBusy = ({ trackers }: ForegroundViews): boolean => trackers.some(({ status }) => busy.has(status().phase));

export const withBackgroundPriority = (writer: ViewWriter, others: ForegroundViews): ViewWriter => {
  let took = 0;
  return {
    ...writer,
    apply: async (view, batch) => {
      const retryMilliseconds = Math.min(longestMilliseconds, Math.max(shortestMilliseconds, share * took));
      const until = performance.now() + retryMilliseconds;
      while (isBusy(others) && performance.now() < until && !others.signal.aborted)
        await pause(stepMilliseconds, others.signal);
      const began = performance.now();
      const applied = await writer.apply(view, batch);
      took = performance.now() - began;
      return applied;
    },
  };
};
