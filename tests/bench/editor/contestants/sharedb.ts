/** ShareDB: acknowledges when its store has the edit; its default store is in memory. */
import type { WebSocket } from 'ws';
import { answers, type Contestant, type Editor, opened, startRival } from './contestant';

interface ServerMessage {
  readonly a: string;
  readonly id?: string;
  readonly v?: number;
  readonly src?: string;
  readonly op?: unknown;
  readonly error?: unknown;
}

const document = { c: 'documents', d: 'bench' };

const onMessage = (socket: WebSocket, listener: (message: ServerMessage) => void): void =>
  void socket.on('message', (bytes: Buffer) => listener(JSON.parse(bytes.toString()) as ServerMessage));

let editors = 0;

const editorOn = async (port: number): Promise<Editor> => {
  const socket = await opened(`ws://127.0.0.1:${port}`);
  const waiting = answers(socket);
  const state = { version: 1, seq: 0, x: 0 };
  onMessage(socket, (message) => {
    if (message.error !== undefined) return waiting.failed(JSON.stringify(message));
    if (message.a === 'op' && message.v !== undefined) state.version = Math.max(state.version, message.v + 1);
    const isOwn = message.a === 'op' && message.op === undefined;
    if (message.a === 'hs' || message.a === 's' || isOwn) waiting.came();
  });
  const send = async (message: object): Promise<void> => {
    const answer = waiting.next();
    socket.send(JSON.stringify(message));
    await answer;
  };
  await send({ a: 'hs', id: null, protocol: 1, protocolMinor: 2 });
  await send({ a: 's', ...document, v: state.version });
  editors += 1;
  const id = `own-${editors}`;
  const submit = (op: unknown): Promise<void> => {
    state.seq += 1;
    return send({ a: 'op', ...document, v: state.version, seq: state.seq, x: {}, op: [op] });
  };
  const node = { id, type: 'rect', parentId: null, transform: [1, 0, 0, 1, 0, 0] };
  await submit({ p: ['nodes', id], oi: node });
  return {
    edit: async (x) => {
      const [od, oi] = [
        [1, 0, 0, 1, state.x, 0],
        [1, 0, 0, 1, x, 0],
      ];
      state.x = x;
      await submit({ p: ['nodes', id, 'transform'], od, oi });
    },
    close: () => socket.terminate(),
  };
};

export const startSharedb = (nodes: number): Promise<Contestant> => startRival('sharedb', nodes, editorOn);
