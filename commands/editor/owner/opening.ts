/** A document becomes this process's: the lease, so that others leave it alone; the log, so that they have to; then what is in it. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { DocumentKey } from '../../../domain/editor/streams';
import { fault, reject } from '../../../domain/kernel/rejection';
import type { OwnerDeps } from './deps';
import { load } from './load';
import { type Owned, ownedOf } from './owned';
import { takeOver } from './take-over';
import type { OpenRefusal } from './types';

const isThere = async ({ access }: OwnerDeps, place: DocumentKey): Promise<Either<OpenRefusal, void>> => {
  const standing = await access.about(place);
  if (isLeft(standing)) return left(fault('service-unavailable', 'Documents cannot be looked up right now.'));
  const { state } = standing.right;
  if (state === 'active') return right(undefined);
  return state === 'trashed'
    ? reject('trashed', 'The document is in the trash.')
    : reject('not-found', 'There is no such document.');
};

/** Without the leases only the log decides: it is slower at keeping two apart, and as safe. */
const leased = async ({ owners, settings, log }: OwnerDeps, name: string): Promise<Either<OpenRefusal, void>> => {
  const acquired = await owners.acquire(name, settings.leaseMilliseconds);
  if (isLeft(acquired)) {
    log.warn({ document: name }, 'a document is opened without a lease, which cannot be had right now');
    return right(undefined);
  }
  return acquired.right.mine ? right(undefined) : left({ kind: 'elsewhere', address: acquired.right.address });
};

const taken = async (deps: OwnerDeps, place: DocumentKey): Promise<Either<OpenRefusal, Owned>> => {
  const ownership = await takeOver(deps, place);
  if (isLeft(ownership)) return ownership;
  const { epoch, revision } = ownership.right;
  const loaded = await load(deps, place, revision);
  return isLeft(loaded) ? loaded : right(ownedOf(deps, place, { epoch, loaded: loaded.right }));
};

export const openOwned = async (
  deps: OwnerDeps,
  place: DocumentKey,
  name: string,
): Promise<Either<OpenRefusal, Owned>> => {
  const began = performance.now();
  const there = await isThere(deps, place);
  if (isLeft(there)) return there;
  const lease = await leased(deps, name);
  if (isLeft(lease)) return lease;
  const owned = await taken(deps, place);
  if (isLeft(owned)) await deps.owners.release([name]);
  else deps.figures.loaded((performance.now() - began) / 1_000);
  return owned;
};
