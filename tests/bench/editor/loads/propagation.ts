/** Two who have one document open: when one's edits are seen by the other. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import type { DocumentId } from '../../../../domain/editor/ids';
import type { ServerMessage } from '../../../../domain/editor/protocol/server-messages';
import { openDocumentSocket } from '../contestants/septet';
import { firstVersion } from '../documents/content';

const perSecond = 10;

const onMessage = (socket: WebSocket, listener: (message: ServerMessage) => void): void =>
  void socket.on('message', (bytes: Buffer) => listener(JSON.parse(bytes.toString()) as ServerMessage));

const joined = async (socket: WebSocket, documentId: DocumentId): Promise<string> => {
  const answer = new Promise<string>((resolve, reject) =>
    onMessage(socket, (message) => {
      if (message.type === 'joined') resolve(message.clientId);
      if (message.type === 'error') reject(new Error(message.detail));
    }),
  );
  const capabilities = ['schema:2'];
  socket.send(JSON.stringify({ type: 'join', documentId, lastCommittedVersion: firstVersion, capabilities }));
  return answer;
};

export interface Pair {
  /** So many edits at their pace, whatever becomes of those before; answers how long each took to be seen, in milliseconds. */
  readonly edits: (count: number) => Promise<readonly number[]>;
  readonly close: () => void;
}

/** When which edit was sent, until it is seen. */
const watching = (socket: WebSocket) => {
  const sent = new Map<string, number>();
  const times: number[] = [];
  let seen: (() => void) | undefined;
  onMessage(socket, (message) => {
    if (message.type !== 'operations') return;
    const now = performance.now();
    for (const { opId } of message.operations) {
      const at = sent.get(opId);
      if (at !== undefined && sent.delete(opId)) times.push(now - at);
    }
    seen?.();
  });
  const isSeen = async (count: number): Promise<readonly number[]> => {
    while (times.length < count)
      await new Promise<void>((resolve) => {
        seen = resolve;
      });
    return times.splice(0);
  };
  return { sent, isSeen };
};

const paced = async (count: number, edit: () => void): Promise<void> => {
  const began = performance.now();
  for (let index = 0; index < count; index += 1) {
    const early = began + (index * 1_000) / perSecond - performance.now();
    if (early > 0) await sleep(early);
    edit();
  }
};

const closed = (socket: WebSocket): Promise<never> =>
  new Promise((_, reject) => socket.once('close', (code) => reject(new Error(`closed with ${code}`))));

/** Operations of a client, one after the other, that move a node. */
const moving = (documentId: DocumentId, clientId: string, nodeId: string) => {
  let clientSeq = 0;
  return () => {
    clientSeq += 1;
    const header = {
      opId: `${clientId}-${clientSeq}`,
      documentId,
      actorId: 'ada',
      clientSeq,
      baseVersion: firstVersion,
    };
    const payload = { transforms: { [nodeId]: [1, 0, 0, 1, clientSeq, 0] } };
    return { ...header, type: 'transformNodes', targetIds: [nodeId], payload, createdAt: new Date().toISOString() };
  };
};

export const openPair = async (port: number, documentId: DocumentId, nodeId: string): Promise<Pair> => {
  const writer = await openDocumentSocket(port, documentId);
  const reader = await openDocumentSocket(port, documentId, 'bob');
  const clientId = await joined(writer, documentId);
  await joined(reader, documentId);
  const { sent, isSeen } = watching(reader);
  const gone = Promise.race([writer, reader].map(closed));
  gone.catch(() => undefined);
  const nextEdit = moving(documentId, clientId, nodeId);
  const edit = (): void => {
    const operation = nextEdit();
    sent.set(operation.opId, performance.now());
    writer.send(
      JSON.stringify({ type: 'operations', documentId, clientSeq: operation.clientSeq, operations: [operation] }),
    );
  };
  const edits = async (count: number): Promise<readonly number[]> => {
    await paced(count, edit);
    return isSeen(count);
  };
  return {
    edits: (count) => Promise.race([edits(count), gone]),
    close: () => {
      for (const socket of [writer, reader]) socket.terminate();
    },
  };
};
