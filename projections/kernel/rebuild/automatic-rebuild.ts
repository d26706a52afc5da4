/** Automatic rebuilds: of a view whose version was raised, and of one whose rows were lost. */
import { randomUUID } from 'node:crypto';
import { isLeft } from 'fp-ts/Either';
import type { Log } from '../../../infra/ports/runtime/log';
import { pause } from '../../../infra/server/runtime/backoff';
import type { Projection } from '../projection';
import type { FollowEnd, ProjectorContext } from '../projector/view-follower';
import { rebuildRecorded } from './recorded-rebuild';

/** The earlier generation serves until the rebuild is done, unless it is lost. */
export const rebuildAutomatically = async (
  around: ProjectorContext,
  projection: Projection,
  { reason, log }: { readonly reason: string; readonly log: Log },
): Promise<FollowEnd> => {
  const { signal, tracker, store, writer, blobs } = around;
  tracker.phase('rebuilding', reason);
  // With a detail it waits for a store, for the log or for the vault.
  const progress = ({ detail }: { readonly detail?: unknown }): void =>
    tracker.phase('rebuilding', typeof detail === 'string' ? detail : reason);
  const rebuilt = await rebuildRecorded(
    { store, writer, blobs, signal, projection, acceptDifferences: true, code: around.code, progress },
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
  } else log.info({ view, version, reason, events: rebuilt.right.events }, 'view rebuilt');
  return 'reopen';
};
