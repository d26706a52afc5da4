/** Background work of the projector: drops old generations and publishes the status of views. */
import { isLeft } from 'fp-ts/Either';
import type { Log } from '../../../infra/ports/runtime/log';
import type { ViewStatusStore } from '../../../infra/ports/views/view-status';
import type { ViewWriter } from '../../../infra/ports/views/view-store';
import { pause } from '../../../infra/server/runtime/backoff';
import type { Projection } from '../projection';
import type { ViewStatus } from './view-status';

export interface HousekeepingOptions {
  readonly projections: readonly Projection[];
  readonly writerOf: (projection: Projection) => ViewWriter | undefined;
  readonly status: () => readonly ViewStatus[];
  /** Undefined without Postgres. */
  readonly ledger: ViewStatusStore | undefined;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** Time for readers of an earlier generation to finish. */
const graceMilliseconds = 60_000;
const sweepMilliseconds = 60_000;
const publishMilliseconds = 1_000;
/** Of a status that stays the same: the console calls a view silent after 30 s. */
const repeatMilliseconds = 10_000;

const sweep = async ({ writerOf, log, signal }: HousekeepingOptions, projection: Projection): Promise<void> => {
  const { view } = projection;
  while (!signal.aborted) {
    const swept = await writerOf(projection)?.sweep(view, graceMilliseconds);
    if (swept !== undefined && !isLeft(swept) && swept.right.length > 0)
      log.info({ view: view.name, generations: swept.right }, 'earlier generations were dropped');
    await pause(sweepMilliseconds, signal);
  }
};

const publish = async ({ projections, status, ledger, signal }: HousekeepingOptions): Promise<void> => {
  const views = new Map(projections.map(({ view }) => [view.name, view]));
  let saved = '';
  let savedAt = Number.NEGATIVE_INFINITY;
  while (ledger !== undefined && !signal.aborted) {
    const states = status().flatMap(({ view, ...state }) => {
      const known = views.get(view);
      return known === undefined ? [] : [{ ...state, view, version: known.version, store: known.store }];
    });
    const text = JSON.stringify(states);
    if (text !== saved || performance.now() - savedAt >= repeatMilliseconds) {
      const answer = await ledger.saveViews(states);
      saved = isLeft(answer) ? '' : text;
      savedAt = performance.now();
    }
    await pause(publishMilliseconds, signal);
  }
};

/** Until the signal. */
export const runHousekeeping = async (keeping: HousekeepingOptions): Promise<void> => {
  await Promise.all([publish(keeping), ...keeping.projections.map((projection) => sweep(keeping, projection))]);
};
