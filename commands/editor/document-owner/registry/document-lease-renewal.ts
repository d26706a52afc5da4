/**
 * Renews the leases of all documents in one call. After a late renewal, by the monotonic clock, other processes may
 * have taken documents: each one is checked against the log, and closed if the log cannot be read.
 */
import { isLeft, right } from 'fp-ts/Either';
import { epochOf, operationLog } from '../../../../domain/editor/operation-log/events';
import { trackOutage } from '../../../../infra/server/runtime/outage';
import type { OwnerDeps } from '../dependencies';
import type { OwnedDocument } from '../owned-document';

/** The owner's own append may also be there. */
const isOfLaterOwner = (owned: OwnedDocument, stored: { readonly type: string; readonly data: unknown }): boolean => {
  const event = operationLog.decode(stored.type, stored.data);
  return isLeft(event) || epochOf(event.right) > owned.epoch;
};

const verifyOne = async (owned: OwnedDocument): Promise<void> => {
  const since = await owned.deps.store.read(owned.stream, owned.content.revision + 1);
  if (isLeft(since)) owned.lifetime.close('lease-lost');
  else if (since.right.some((stored) => isOfLaterOwner(owned, stored))) owned.lifetime.close('fenced');
};

const maxParallelReads = 16;

export const verifyOwnership = async (documents: readonly OwnedDocument[]): Promise<void> => {
  for (let start = 0; start < documents.length; start += maxParallelReads)
    await Promise.all(documents.slice(start, start + maxParallelReads).map(verifyOne));
};

export interface LeaseRenewer {
  /** Renews now; resolves after documents of other owners are closed. */
  readonly renew: () => Promise<void>;
  /** Whether leases may have expired. */
  readonly isLate: () => boolean;
}

export const createLeaseRenewer = (
  { leases, settings, log }: OwnerDeps,
  registry: { readonly names: () => readonly string[]; readonly open: (name: string) => OwnedDocument | undefined },
): LeaseRenewer => {
  const outage = trackOutage(log, {
    failing: 'leases of documents could not be renewed',
    recovered: 'leases of documents are renewed again',
  });
  let renewedAt = performance.now();
  let under: Promise<void> | undefined;
  const isLate = (): boolean => performance.now() - renewedAt > settings.leaseMilliseconds;
  const openOnes = (names: readonly string[]): readonly OwnedDocument[] =>
    names.flatMap((name) => registry.open(name) ?? []).filter(({ lifetime }) => !lifetime.isClosed());
  const renew = async (): Promise<void> => {
    const names = registry.names();
    const began = performance.now();
    const wasLate = isLate();
    const lost = names.length === 0 ? right([]) : await leases.renew(names, settings.leaseMilliseconds);
    if (isLeft(lost) && !isLate()) return;
    if (isLeft(lost)) outage.failed({ documents: names.length });
    else {
      outage.recovered();
      renewedAt = began;
    }
    for (const owned of openOnes(isLeft(lost) ? [] : lost.right)) owned.lifetime.close('lease-lost');
    // Another process may have owned it in between.
    if (wasLate || isLeft(lost)) await verifyOwnership(openOnes(names));
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
