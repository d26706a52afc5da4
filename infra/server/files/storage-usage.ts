/** Finds the segment in which the storage of a tenant is accounted: the first that is not full. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import { type StorageEvent, segmentEvents, storageStream, storages } from '../../../domain/files/storage/events';
import {
  type BegunSegment,
  emptySegment,
  evolve,
  noStorage,
  type StorageState,
} from '../../../domain/files/storage/state';
import type { TenantId } from '../../../domain/kernel/ids';
import type { EventStoreFault } from '../../ports/event-store';
import { type AggregateSource, loadAggregate } from '../aggregates/load-aggregate';
import type { FoldRules } from '../aggregates/loaded-aggregate';

/** Of readers, which know no deciders. */
export const storageRules: FoldRules<StorageState, StorageEvent> = { family: storages, initial: noStorage, evolve };

type SegmentAnswer = Promise<Either<EventStoreFault, number>>;

const isFull = async (
  store: AggregateSource['store'],
  tenant: TenantId,
  segment: number,
): Promise<Either<EventStoreFault, boolean>> => {
  const last = await store.read(storageStream(tenant, segment), segmentEvents - 1);
  return isLeft(last) ? last : right(last.right.length > 0);
};

/** All segments before it are full: doubling finds one that is not, halving the first. A few reads, each of an event at most. */
export const currentSegment = async (store: AggregateSource['store'], tenant: TenantId): SegmentAnswer => {
  let [full, open] = [0, 1];
  for (;;) {
    const found = await isFull(store, tenant, open);
    if (isLeft(found)) return found;
    if (!found.right) break;
    [full, open] = [open, open * 2];
  }
  while (open - full > 1) {
    const middle = Math.floor((full + open) / 2);
    const found = await isFull(store, tenant, middle);
    if (isLeft(found)) return found;
    if (found.right) full = middle;
    else open = middle;
  }
  return right(open);
};

/** The sums as they are now. A segment that is not begun yet follows a full one, which has them. */
export const readStorage = async (
  source: AggregateSource,
  rules: FoldRules<StorageState, StorageEvent>,
  tenant: TenantId,
): Promise<Either<EventStoreFault, BegunSegment>> => {
  const segment = await currentSegment(source.store, tenant);
  if (isLeft(segment)) return segment;
  for (let at = segment.right; at > 0; at -= 1) {
    const loaded = await loadAggregate(source, rules, storageStream(tenant, at));
    if (isLeft(loaded)) return loaded;
    if (loaded.right.state.kind === 'begun') return right(loaded.right.state);
  }
  return right(emptySegment);
};
