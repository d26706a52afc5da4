/** Removes abandoned uploads and temporary blobs every hour. Instances may run it concurrently. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isLeft, right } from 'fp-ts/Either';
import type { Instant } from '../../../domain/kernel/codec';
import type { BlobStore, TemporaryKey } from '../../ports/blob-store';
import type { Log } from '../../ports/runtime/log';

const everyMilliseconds = 3_600_000;
/** No signature lasts longer, so an older upload cannot be resumed. */
const abandonedAfterMilliseconds = 7 * 24 * 3_600_000;
const temporaryMilliseconds = 24 * 3_600_000;
const temporaryPrefix: TemporaryKey = 'temporary/';

export interface CleanupOptions {
  readonly blobs: Pick<BlobStore, 'sweep' | 'list' | 'removeMany'>;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Until the next one; ends early when the signal is aborted. */
  readonly pause?: (signal: AbortSignal) => Promise<void>;
}

const anHour = (signal: AbortSignal): Promise<void> => sleep(everyMilliseconds, undefined, { signal });

/** Answers how many. */
const removeTemporary = async ({ list, removeMany }: CleanupOptions['blobs'], before: number) => {
  let removed = 0;
  for (let after: string | null | undefined; after !== null; ) {
    const page = await list({ prefix: temporaryPrefix, ...(after === undefined ? {} : { after }) });
    if (isLeft(page)) return page;
    const keys = page.right.blobs.filter(({ storedAt }) => Date.parse(storedAt) < before).map(({ key }) => key);
    const done = keys.length === 0 ? right(undefined) : await removeMany(keys);
    if (isLeft(done)) return done;
    removed += keys.length;
    after = page.right.next;
  }
  return right(removed);
};

/** Runs once at the start, so that a machine that is switched off every evening is cleaned too. */
export const runScheduledCleanup = async ({
  blobs,
  log,
  signal,
  now = Date.now,
  pause = anHour,
}: CleanupOptions): Promise<void> => {
  while (!signal.aborted) {
    const swept = await blobs.sweep(new Date(now() - abandonedAfterMilliseconds).toISOString() as Instant);
    if (isLeft(swept)) log.warn({ fault: swept.left }, 'the blob store could not be swept');
    else if (swept.right > 0) log.info({ uploads: swept.right }, 'abandoned uploads are removed');
    const removed = await removeTemporary(blobs, now() - temporaryMilliseconds);
    if (isLeft(removed)) log.warn({ fault: removed.left }, 'temporary blobs could not be removed');
    else if (removed.right > 0) log.info({ blobs: removed.right }, 'temporary blobs are removed');
    await pause(signal).catch(() => undefined);
  }
};
