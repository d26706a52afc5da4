/** Rebuilds a view whose version was raised, and logs the outcome. */
import { randomUUID } from 'node:crypto';
import { isLeft } from 'fp-ts/Either';
import type { Log } from '../../../infra/ports/runtime/log';
import { pause } from '../../../infra/runtime/backoff';
import type { Projection } from '../projection';
import type { FollowEnd, ProjectorContext } from '../projector/view-follower';
import { rebuildRecorded } from './recorded-rebuild';

/** The earlier generation serves until the rebuild is done. */
export const rebuildOutdated = async (
  around: ProjectorContext,
  projection: Projection,
  log: Log,
): Promise<FollowEnd> => {
  const { signal, tracker, store, writer } = around;
  tracker.phase('rebuilding');
  // With a detail it waits for a store, for the log or for the vault.
  const progress = ({ detail }: { readonly detail?: unknown }): void =>
    tracker.phase('rebuilding', typeof detail === 'string' ? detail : undefined);
  const rebuilt = await rebuildRecorded(
    { store, writer, signal, projection, acceptDifferences: true, code: around.code, progress },
    { ledger: around.ledger, by: 'system:projector', id: randomUUID() },
  );
  const { name: view, version } = projection.view;
  if (isLeft(rebuilt)) {
    tracker.phase('rebuilding', rebuilt.left.detail);
    log.warn({ view, version, fault: rebuilt.left }, 'rebuild did not succeed; it is tried again');
    if (rebuilt.left.code === 'poison-event' || rebuilt.left.code === 'view-refused') {
      tracker.phase('stopped', rebuilt.left.detail);
      return 'stopped';
    }
    await pause(1_000 + Math.random() * 1_000, signal);
  } else log.info({ view, version, events: rebuilt.right.events }, 'view rebuilt for its raised version');
  return 'reopen';
};
