/**
 * Leases of all documents, renewed in one call. When the renewal is late by the monotonic clock others may have taken them: then each
 * asks the log, which knows; what cannot be told is given up.
 */
import { isLeft, right } from 'fp-ts/Either';
import { epochOf, log } from '../../../domain/editor/log/events';
import type { OwnerDeps } from './deps';
import { endOwned, isEnded, type Owned } from './owned';

/** What of ours is just being appended may be there, too. */
const isAnothers = (owned: Owned, stored: { readonly type: string; readonly data: unknown }): boolean => {
  const event = log.decode(stored.type, stored.data);
  return isLeft(event) || epochOf(event.right) > owned.epoch;
};

const confirm = async (owned: Owned): Promise<void> => {
  const since = await owned.deps.store.read(owned.stream, owned.content.revision + 1);
  if (isLeft(since)) endOwned(owned, 'lease-lost');
  else if (since.right.some((stored) => isAnothers(owned, stored))) endOwned(owned, 'fenced');
};

const atOnce = 16;

export const confirmAll = async (documents: readonly Owned[]): Promise<void> => {
  for (let start = 0; start < documents.length; start += atOnce)
    await Promise.all(documents.slice(start, start + atOnce).map(confirm));
};

export interface Keeper {
  /** Renews now, and answers when all that are another's have ended. */
  readonly renew: () => Promise<void>;
  /** Whether others may have taken what this process holds. */
  readonly isLate: () => boolean;
}

export const openKeeper = (
  { owners, settings, log: lines }: OwnerDeps,
  held: { readonly names: () => readonly string[]; readonly open: (name: string) => Owned | undefined },
): Keeper => {
  let renewedAt = performance.now();
  let under: Promise<void> | undefined;
  const isLate = (): boolean => performance.now() - renewedAt > settings.leaseMilliseconds;
  const openOnes = (names: readonly string[]): readonly Owned[] =>
    names.flatMap((name) => held.open(name) ?? []).filter((owned) => !isEnded(owned));
  const renew = async (): Promise<void> => {
    const names = held.names();
    const began = performance.now();
    const wasLate = isLate();
    const lost = names.length === 0 ? right([]) : await owners.renew(names, settings.leaseMilliseconds);
    if (isLeft(lost) && !isLate()) return;
    if (isLeft(lost)) lines.warn({ documents: names.length }, 'leases of documents could not be renewed');
    else renewedAt = began;
    for (const owned of openOnes(isLeft(lost) ? [] : lost.right)) endOwned(owned, 'lease-lost');
    // Somebody may have had it and let it go again.
    if (wasLate || isLeft(lost)) await confirmAll(openOnes(names));
  };
  return {
    isLate,
    renew: () => {
      under ??= renew().finally(() => {
        under = undefined;
      });
      return under;
    },
  };
};
