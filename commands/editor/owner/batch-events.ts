/** The events of an append. */

import type { Snapshot } from '../../../domain/editor/snapshot/record';
import type { Instant } from '../../../domain/kernel/codec';
import type { NewEvent } from '../../../infra/ports/event-store';
import { derivedId } from '../../kernel/derive';
import type { Part } from './gather';
import type { Owned } from './owned';
import { recorded, systemActor } from './recorded';

export const batchEvent = (
  { place, stream, epoch }: Owned,
  { pending, fromVersion, operations, told, lastClientSeq }: Part,
  at: Instant,
): NewEvent => {
  const { clientId, principalId, correlationId } = pending.submission;
  const toVersion = fromVersion + operations.length - 1;
  const { documentId, tenant } = place;
  const data = { documentId, epoch, fromVersion, toVersion, clientId, lastClientSeq, operations };
  const firstSeq = operations[0]?.clientSeq ?? lastClientSeq;
  const commandId = derivedId(stream, clientId, firstSeq, lastClientSeq);
  const recording = { stream, tenant, actor: principalId, commandId, correlationId, at };
  return recorded({ type: 'OperationsCommitted', data }, recording, `${epoch} ${fromVersion} ${told.join()}`);
};

export const snapshotEvent = ({ place, stream, epoch }: Owned, snapshot: Snapshot, at: Instant): NewEvent => {
  const commandId = derivedId(stream, epoch, 'snapshot', snapshot.version, snapshot.checksum);
  const recording = { stream, tenant: place.tenant, actor: systemActor, commandId, at };
  return recorded({ type: 'SnapshotTaken', data: { epoch, snapshot } }, recording, snapshot.checksum);
};
