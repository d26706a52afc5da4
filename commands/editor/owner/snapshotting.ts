/** Snapshots as the document goes on: what changed is set aside in one step and written down by others. */
import { type Either, isRight, left } from 'fp-ts/Either';
import type { NodeId } from '../../../domain/editor/ids';
import { recordOf } from '../../../domain/editor/log/clients';
import { nodeOf, type SceneNode } from '../../../domain/editor/scene/scene';
import type { Snapshot } from '../../../domain/editor/snapshot/record';
import { fault } from '../../../domain/kernel/rejection';
import type { SnapshotFault } from '../../../infra/documents/piece-blobs';
import { boundClients } from './known-clients';
import type { ToTake } from './needs';
import { isEnded, type Owned } from './owned';

/** Since the newest one, so that there should be another. */
export const isMuch = ({ content: { tail }, deps }: Pick<Owned, 'content' | 'deps'>): boolean => {
  const { operations, bytes } = deps.settings.snapshot;
  return tail.operations >= operations || tail.bytes >= bytes;
};

/** Only where the scene is what is committed: between two appends. */
export const isDue = (owned: Owned): boolean =>
  isMuch(owned) && owned.taking === undefined && performance.now() >= owned.restUntil;

const asideOf = (owned: Owned): ToTake => {
  const { place, content } = owned;
  boundClients(owned);
  const changed: SceneNode[] = [];
  const removed: NodeId[] = [];
  for (const id of content.changed) {
    const node = nodeOf(content.scene, id);
    if (node === undefined) removed.push(id);
    else changed.push(node);
  }
  const { version, snapshot: previous } = content;
  const clients = recordOf(content.clients);
  return { place, version, changed, removed, clients, ...(previous === undefined ? {} : { previous }) };
};

/** A version was put back meanwhile: what was set aside is of another scene. */
const isOvertaken = ({ content }: Owned, { previous }: ToTake): boolean => content.snapshot !== previous;

/** What throws is a defect of the store's; the document goes on without a snapshot. */
const taking = async ({ deps, place }: Owned, aside: ToTake): Promise<Either<SnapshotFault, Snapshot>> => {
  try {
    return await deps.snapshots.take(aside);
  } catch (error) {
    deps.log.error({ ...place, error }, 'a snapshot could not be made');
    return left(fault('snapshots-unavailable', 'A snapshot could not be made.'));
  }
};

const keep = async (owned: Owned, aside: ToTake): Promise<void> => {
  const { content, deps } = owned;
  const tail = content.tail;
  const ids = content.changed;
  content.changed = new Set();
  content.tail = { operations: 0, bytes: 0 };
  const taken = await taking(owned, aside);
  deps.figures.snapshot(isRight(taken) ? 'taken' : 'failed');
  if (isOvertaken(owned, aside)) return;
  if (isRight(taken)) {
    content.snapshot = taken.right;
    owned.toRecord = taken.right;
    owned.ring.coveredTo(taken.right.version);
    return;
  }
  deps.log.warn({ ...owned.place, code: taken.left.code }, 'a snapshot could not be kept; it is tried again');
  for (const id of ids) content.changed.add(id);
  content.tail.operations += tail.operations;
  content.tail.bytes += tail.bytes;
  owned.restUntil = performance.now() + deps.settings.snapshot.pauseMilliseconds;
};

/** `done` is called when there is something to record. */
export const takeSnapshot = (owned: Owned, done: () => void): Promise<void> => {
  const kept = keep(owned, asideOf(owned)).then(() => {
    owned.taking = undefined;
    if (owned.toRecord !== undefined && !isEnded(owned)) done();
  });
  owned.taking = kept;
  return kept;
};
