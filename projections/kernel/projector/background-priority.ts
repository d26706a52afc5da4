/** Views that let others go first: while another one reads the past, each of their writes waits a moment. */

import type { ViewWriter } from '../../../infra/ports/views/view-store';
import { pause } from '../../../infra/runtime/backoff';
import type { Phase, Tracker } from './view-status';

/** So many times as long as its last write took, and not until the others are done: nobody waits for them for good. */
const share = 8;
const [shortestMilliseconds, longestMilliseconds] = [250, 5_000];
const stepMilliseconds = 25;

const busy: ReadonlySet<Phase> = new Set(['catching-up', 'rebuilding']);

export interface ForegroundViews {
  /** Of every view but those that wait for others themselves. */
  readonly trackers: readonly Pick<Tracker, 'status'>[];
  readonly signal: AbortSignal;
}

const isBusy = ({ trackers }: ForegroundViews): boolean => trackers.some(({ status }) => busy.has(status().phase));

export const withBackgroundPriority = (writer: ViewWriter, others: ForegroundViews): ViewWriter => {
  let took = 0;
  return {
    ...writer,
    apply: async (view, batch) => {
      const patience = Math.min(longestMilliseconds, Math.max(shortestMilliseconds, share * took));
      const until = performance.now() + patience;
      while (isBusy(others) && performance.now() < until && !others.signal.aborted)
        await pause(stepMilliseconds, others.signal);
      const began = performance.now();
      const applied = await writer.apply(view, batch);
      took = performance.now() - began;
      return applied;
    },
  };
};
