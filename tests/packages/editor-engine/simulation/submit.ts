/** A batch, and what becomes of each operation in it. */
import type { ClientId, OperationId } from '../../../../domain/editor/ids';
import type { Operation } from '../../../../domain/editor/operation';
import { checkInverse, recordCommitted } from '../../../../domain/editor/operation-log/client-table';
import type { Outcome } from '../../../../domain/editor/outcome';
import type { ClientMessage } from '../../../../domain/editor/protocol/client-messages';
import { runBatch } from '../../../../domain/editor/reducer/batch';
import { type ClientSession, framesAfter, type Owner, roleOf } from './owner';

const unitsOf = (operations: readonly Operation[]): readonly (readonly Operation[])[] => {
  const units: Operation[][] = [];
  for (const operation of operations) {
    const last = units.at(-1);
    if (operation.atomicGroup !== undefined && last?.[0]?.atomicGroup === operation.atomicGroup) last.push(operation);
    else units.push([operation]);
  }
  return units;
};

const run = (owner: Owner, session: ClientSession, operations: readonly Operation[]): Outcome[] => {
  const outcomes: Outcome[] = [];
  const [actorId, clientId] = [session.userId, session.clientId as ClientId];
  for (const unit of unitsOf(operations)) {
    const fromVersion = owner.version + 1;
    const inverse = () =>
      unit.map((one) => checkInverse(owner.clients, one, actorId)).find((fault) => fault !== undefined);
    const restorable = (id: OperationId) => owner.clients.restorable.get(id) ?? [];
    const batch = runBatch(owner.scene, unit, {
      actorId,
      clientId,
      version: fromVersion,
      schema: 2,
      inverse,
      restorable,
    });
    outcomes.push(...batch.outcomes);
    for (const operation of batch.committed) {
      owner.version += 1;
      owner.log.push({ version: owner.version, operation });
    }
    const lastClientSeq = unit.at(-1)?.clientSeq ?? 0;
    if (batch.committed.length > 0)
      recordCommitted(owner.clients, { clientId, lastClientSeq, fromVersion, operations: batch.committed });
  }
  return outcomes;
};

export const submit = (owner: Owner, session: ClientSession, message: ClientMessage<'operations'>): void => {
  const { operations, clientSeq } = message;
  const first = operations[0]?.clientSeq ?? 0;
  if (first > session.expected) {
    const gap = { type: 'error', code: 'client-seq-gap', detail: 'A gap.', clientSeq } as const;
    return void session.send({ ...gap, expectedClientSeq: session.expected });
  }
  const before = owner.version;
  const fresh = operations.filter((one) => one.clientSeq >= session.expected);
  const mayEdit = ['owner', 'editor'].includes(roleOf(owner, session));
  const outcomes = mayEdit
    ? run(owner, session, fresh)
    : fresh.map(({ opId }): Outcome => ({ opId, status: 'rejected', reason: 'forbidden' }));
  session.expected = Math.max(session.expected, clientSeq + 1);
  for (const frame of framesAfter(owner, before)) for (const one of owner.sessions) one.send(frame);
  const duplicates = operations.filter((one) => !fresh.includes(one));
  const results = [...duplicates.map(({ opId }): Outcome => ({ opId, status: 'duplicate' })), ...outcomes];
  const opIds = operations.map(({ opId }) => opId);
  session.send({ type: 'ack', clientSeq, committedVersion: owner.version, opIds, results });
};
