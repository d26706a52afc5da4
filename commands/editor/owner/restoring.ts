/** An earlier version put back: a step of its own, for which everything else of the document waits. */
import { isLeft } from 'fp-ts/Either';
import { clientsOf, noteCommitted, recordOf } from '../../../domain/editor/log/clients';
import type { Operation } from '../../../domain/editor/operation';
import type { AppendEnd } from './append';
import { appendSurely } from './append';
import { batchEvent, snapshotEvent } from './batch-events';
import { type Gathering, type Part, submitterOf } from './gather';
import { letGo, type Pending } from './pending';
import { type Earlier, putInPlace, takeAgain } from './put-back';
import { settleUnit } from './settle-unit';
import { tellRebased } from './tell';

/** As it is committed: with the scene that it means, so that nobody has to make that out again. */
const committedAs = (operation: Operation, { snapshot }: Earlier): Operation => ({
  ...operation,
  payload: {
    version: snapshot.version,
    snapshot: { manifestKey: snapshot.compressedSceneKey, checksum: snapshot.checksum },
  },
});

const reject = (pending: Pending, { opId }: Operation): void => {
  pending.results.push({ opId, status: 'rejected', reason: 'version-unknown' });
};

const partOf = (pending: Pending, operation: Operation, version: number): Part => ({
  pending,
  fromVersion: version,
  operations: [operation],
  told: [JSON.stringify(operation)],
  lastClientSeq: operation.clientSeq,
});

/** Appends and puts in place; `kept` is false where no snapshot could be kept, and nothing happened. */
const putBackNow = async (
  { owned, at }: Gathering,
  { part, earlier }: { readonly part: Part; readonly earlier: Earlier },
): Promise<AppendEnd | { readonly kind: 'not-kept' }> => {
  const { content, deps, place, stream } = owned;
  const clients = clientsOf(recordOf(content.clients));
  noteCommitted(clients, { ...part, clientId: part.pending.submission.clientId });
  const taken = await takeAgain(deps, place, { earlier, version: part.fromVersion, clients });
  if (isLeft(taken)) return { kind: 'not-kept' };
  const events = [batchEvent(owned, part, at), snapshotEvent(owned, taken.right, at)];
  const end = await appendSurely(deps, { stream, after: content.revision, events });
  if (end.kind !== 'written') return end;
  content.clients = clients;
  content.revision = end.revision;
  owned.toRecord = undefined;
  putInPlace(content, earlier.scene, taken.right);
  tellRebased(owned, { kind: 'rebased', snapshot: taken.right });
  return end;
};

/** Settles the unit of the first batch that waits; the answer is how its append ended, undefined where it needed none. */
export const restoreNext = async (gathering: Gathering, pending: Pending): Promise<AppendEnd | undefined> => {
  const { owned } = gathering;
  const { clientId, principalId, isOnce } = pending.submission;
  const unit = pending.units[pending.done] ?? [];
  const { bytes } = owned.deps.settings.append;
  const settled = settleUnit(owned.content, unit, [submitterOf(pending, gathering), bytes]);
  const [operation] = settled.committed;
  const earlier = operation === undefined ? undefined : pending.earlier.get(operation.opId);
  if (operation !== undefined && earlier !== undefined) {
    const part = partOf(pending, committedAs(operation, earlier), owned.content.version + 1);
    const end = await putBackNow(gathering, { part, earlier });
    if (end.kind === 'not-kept') {
      owned.waiting.splice(owned.waiting.indexOf(pending), 1);
      pending.answer(letGo('The version cannot be put back right now.'));
      return undefined;
    }
    if (end.kind !== 'written') return end;
    pending.results.push({
      opId: operation.opId,
      status: 'applied',
      version: part.fromVersion,
      op: part.operations[0],
    });
  } else if (operation !== undefined) reject(pending, operation);
  else pending.results.push(...settled.outcomes);
  if (isOnce !== true)
    for (const { clientSeq: lastClientSeq } of unit) owned.seats.settle(clientId, { principalId, lastClientSeq });
  pending.done += 1;
  return undefined;
};
