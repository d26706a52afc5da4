/** Publishes the age of the oldest deletion that is not finished, from the log alone: also where no worker begins one. */
import { isLeft } from 'fp-ts/Either';
import { fileAccess } from '../../../domain/files/access/events';
import { deletions } from '../../../domain/files/deletion/events';
import type { StoredEvent } from '../../../infra/ports/event-store';
import { resumeUntilAborted } from '../../../infra/server/runtime/backoff';
import { logOutage } from '../../../infra/server/runtime/outage';
import type { BackgroundDeps } from '../../kernel/context';

const publishMilliseconds = 10_000;

/** Of the access of all tenants only these: its other events have names, each of which would be unsealed here. */
const watchedTypes = [
  ...['FileHidden', 'FilePurged'].map((type) => `${fileAccess.context}.${type}.`),
  `${deletions.context}.FileDeleted.`,
];

const timeOf = ({ metadata }: StoredEvent): number => Date.parse((metadata as { readonly at: string }).at);

/** Of all tenants: when each file was deleted that is not removed from every store yet. */
export const openDeletions = () => {
  const begun = new Map<string, number>();
  const keyOf = ({ metadata }: StoredEvent, fileId: string): string =>
    `${(metadata as { readonly tenant: string }).tenant} ${fileId}`;
  const apply = (stored: StoredEvent): void => {
    const isAccess = stored.stream.startsWith(fileAccess.prefix);
    const decoded = (isAccess ? fileAccess : deletions).decode(stored.type, stored.data);
    if (isLeft(decoded)) return;
    const { type, data } = decoded.right;
    if (type === 'FilePurged' || (type === 'FileHidden' && data.reason === 'deleted'))
      begun.set(keyOf(stored, data.fileId), timeOf(stored));
    if (type === 'FileDeleted') begun.delete(keyOf(stored, data.fileId));
  };
  const oldestSeconds = (now: number): number =>
    begun.size === 0 ? 0 : Math.max(0, Math.round((now - Math.min(...begun.values())) / 1_000));
  return { apply, oldestSeconds, count: () => begun.size };
};

/** Until the signal aborts. A log that went away is read again from where this was. */
export const watchDeletions = async ({ store, metrics, log, signal }: BackgroundDeps): Promise<void> => {
  const oldest = metrics.gauge({
    name: 'files_oldest_deletion_seconds',
    help: 'Age of the oldest deletion of a file that is not finished, begun or not; 0 when there is none.',
  });
  const open = metrics.gauge({ name: 'files_open_deletions', help: 'Deletions of files that are not finished.' });
  const known = openDeletions();
  let after: bigint | null = null;
  let isCaughtUp = false;
  const publish = (): void => {
    if (!isCaughtUp) return;
    oldest(known.oldestSeconds(Date.now()));
    open(known.count());
  };
  const timer = setInterval(publish, publishMilliseconds);
  const follow = async (progress: () => void): Promise<void> => {
    for await (const seen of store.subscribeAll({ after, filter: { types: watchedTypes }, signal })) {
      progress();
      if (seen.kind === 'event') {
        known.apply(seen.event);
        after = seen.event.position;
      }
      if (seen.kind === 'caught-up') {
        isCaughtUp = true;
        publish();
      }
    }
  };
  await resumeUntilAborted(follow, {
    signal,
    ...logOutage(log, {
      failing: 'deletions of files cannot be watched; it is tried again',
      recovered: 'deletions of files are watched again',
    }),
  });
  clearInterval(timer);
};
