/** The editor: acknowledged when it is in the log, whose store has it on disk. */
import type { DocumentId } from '../../../../domain/editor/ids';
import { identityHeader } from '../../../../infra/server/http/identity/identity-header';
import type { EditorProcess } from '../../../contracts/editor/sessions/fixture';
import { identityOf } from '../../../editor/sessions/fixture';
import { signedHeader } from '../../../support/http/http-service';
import { firstVersion } from '../documents/content';
import { answers, type Contestant, type Editor, opened } from './contestant';

export interface ServerMessage {
  readonly type: string;
  readonly clientId: string;
  readonly detail?: string;
}

export const openDocumentSocket = (port: number, documentId: DocumentId, userId = 'ada') => {
  const path = `/v1/documents/${documentId}/socket`;
  const headers = { [identityHeader]: signedHeader('GET', path, identityOf(userId)) };
  return opened(`ws://127.0.0.1:${port}${path}`, { protocols: ['septet.editor.v1'], headers });
};

const isAck = (bytes: Buffer): boolean => bytes.subarray(0, 13).equals(Buffer.from('{"type":"ack"'));
const isError = (bytes: Buffer): boolean => /^\{"type":"(error|rateLimited)"/u.test(bytes.subarray(0, 24).toString());

const joined = async (socket: Awaited<ReturnType<typeof opened>>, documentId: DocumentId): Promise<ServerMessage> => {
  const answer = new Promise<ServerMessage>((resolve) =>
    socket.once('message', (bytes: Buffer) => resolve(JSON.parse(bytes.toString()) as ServerMessage)),
  );
  const join = { type: 'join', documentId, lastCommittedVersion: firstVersion, capabilities: ['schema:2'] };
  socket.send(JSON.stringify(join));
  const message = await answer;
  if (message.type !== 'joined') throw new Error(JSON.stringify(message));
  return message;
};

const editorOn = async (port: number, documentId: DocumentId): Promise<Editor> => {
  const socket = await openDocumentSocket(port, documentId);
  const { clientId } = await joined(socket, documentId);
  const waiting = answers(socket);
  socket.on('message', (bytes: Buffer) => {
    if (isAck(bytes)) waiting.came();
    else if (isError(bytes)) waiting.failed(bytes.toString());
  });
  let clientSeq = 0;
  const id = `${clientId}:1`;
  const send = async (type: string, targetIds: readonly string[], payload: unknown): Promise<void> => {
    clientSeq += 1;
    const header = {
      opId: `${clientId}-${clientSeq}`,
      documentId,
      actorId: 'ada',
      clientSeq,
      baseVersion: firstVersion,
    };
    const operation = { ...header, type, targetIds, payload, createdAt: new Date().toISOString() };
    const answer = waiting.next();
    socket.send(JSON.stringify({ type: 'operations', documentId, clientSeq, operations: [operation] }));
    await answer;
  };
  const node = { id, type: 'rect', parentId: null, orderKey: `z${clientId}V`, properties: {} };
  await send('createNode', [id], { nodes: [node] });
  return {
    edit: (x) => send('transformNodes', [id], { transforms: { [id]: [1, 0, 0, 1, x, 0] } }),
    close: () => socket.terminate(),
  };
};

export const septet = ({ port, pid, kill }: EditorProcess, documentId: DocumentId): Contestant => ({
  name: 'septet',
  pids: [pid],
  join: () => editorOn(port, documentId),
  close: () => kill(),
});
