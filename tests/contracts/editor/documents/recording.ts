/** Commands on documents, recorded in a real log. */
import assert from 'node:assert/strict';
import { operationLog } from '../../../../domain/editor/operation-log/events';
import type { Identity } from '../../../../infra/server/http/routing/route';
import { operationsCommitted, snapshotTaken } from '../../../editor/documents/recorded';
import { ada, type DocumentsStage, metadataOf } from '../../../editor/documents/routes/fixture';

export const done = async (pending: ReturnType<DocumentsStage['request']>) => {
  const answer = await pending;
  assert.ok(answer.status < 300, JSON.stringify(answer.body));
  return { ...answer, position: BigInt(answer.headers.get('position') ?? '0') };
};

interface Invited {
  readonly documentId: string;
  readonly who: Identity;
  readonly role: string;
}

/** By Ada; answers where the log is by then. */
export const invite = async ({ request }: DocumentsStage, { documentId, who, role }: Invited): Promise<bigint> => {
  const path = `POST /v1/documents/${documentId}/invitations`;
  const { body } = await done(request(path, ada, { role, principalId: who.principalId }));
  return (await done(request(`${path}/${body.invitationId}/accept`, who, {}))).position;
};

/** Three versions, with a snapshot of the second. */
export const edit = async ({ append }: DocumentsStage, documentId: string): Promise<bigint> => {
  const events = [
    operationsCommitted(1, [{ targets: [1] }, { targets: [2] }], documentId),
    snapshotTaken(2, documentId),
    operationsCommitted(3, [{ targets: [1], actor: 'bob' }], documentId),
  ];
  let position = 0n;
  for (const event of events)
    position = await append(`editor.log-acme.${documentId}`, operationLog.encode(event), metadataOf('acme'));
  return position;
};
