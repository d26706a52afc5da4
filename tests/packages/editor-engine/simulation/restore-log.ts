/** A log as it was at an earlier time, as from a backup. */

import type { Operation } from '../../../../domain/editor/operation';
import { emptyClientTable, recordCommitted } from '../../../../domain/editor/operation-log/client-table';
import { apply } from '../../../../domain/editor/reducer/apply';
import { emptyScene } from '../../../../domain/editor/scene/scene';
import type { Stage } from './fixture';
import type { Owner } from './owner';

const note = ({ scene, clients }: Owner, operation: Operation, version: number): void => {
  apply(scene, operation, version);
  const [clientId] = operation.opId.split('-');
  const { clientSeq: lastClientSeq } = operation;
  recordCommitted(clients, {
    clientId: clientId as never,
    lastClientSeq,
    fromVersion: version,
    operations: [operation],
  });
};

/** Lines end with the process that had the document. */
export const restoreLogTo = ({ owner, network }: Stage, version: number): void => {
  network.isUp = false;
  network.cut();
  const earlier = owner.log.filter((one) => one.version <= version);
  const rest: Partial<Owner> = { scene: emptyScene(), version, clients: emptyClientTable(), log: earlier };
  Object.assign(owner, rest);
  for (const { operation, version: at } of earlier) note(owner, operation, at);
};
