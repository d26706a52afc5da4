/** Hocuspocus: acknowledges when the document in memory has the edit; storing follows later. */
import * as Y from 'yjs';
import { answers, type Contestant, type Editor, opened, startRival } from './contestant';

const words = { sync: 0, auth: 2, syncStatus: 8, update: 2, token: 0 } as const;

const size = (value: number): readonly number[] =>
  value < 128 ? [value] : [(value % 128) + 128, ...size(Math.floor(value / 128))];

const text = (value: string): Buffer => {
  const bytes = Buffer.from(value);
  return Buffer.concat([Buffer.from(size(bytes.length)), bytes]);
};

const name = text('bench');
const message = (...parts: readonly Uint8Array[]): Buffer => Buffer.concat([name, ...parts]);

/** Its part of the document alone: no client of this bench looks at what others do. */
const ownNode = (key: string, send: (update: Uint8Array) => void) => {
  const document = new Y.Doc();
  document.on('update', send);
  const node = new Y.Map<unknown>();
  return { create: () => void document.getMap('nodes').set(key, node), node };
};

let editors = 0;

const editorOn = async (port: number): Promise<Editor> => {
  const socket = await opened(`ws://127.0.0.1:${port}`);
  const waiting = answers(socket);
  socket.on('message', (bytes: Buffer) => {
    const type = bytes[name.length];
    if (type === words.syncStatus || type === words.auth) waiting.came();
  });
  const send = async (bytes: Buffer): Promise<void> => {
    const answer = waiting.next();
    socket.send(bytes);
    await answer;
  };
  await send(message(Buffer.from([words.auth, words.token]), text('bench')));
  editors += 1;
  let sent: Promise<void> = Promise.resolve();
  const own = ownNode(`own-${editors}`, (update) => {
    sent = send(message(Buffer.from([words.sync, words.update, ...size(update.length)]), update));
  });
  own.create();
  await sent;
  return {
    edit: (x) => {
      own.node.set('transform', [1, 0, 0, 1, x, 0]);
      return sent;
    },
    close: () => socket.terminate(),
  };
};

export const startHocuspocus = (nodes: number): Promise<Contestant> => startRival('hocuspocus', nodes, editorOn);
