/** WebSockets whose other end is in the test's hand. */
import assert from 'node:assert/strict';
import type { ClientOptions } from '../../../../packages/client/src/options';
import type { Platform, WebSocketConstructor, WebSocketLike } from '../../../../packages/client/src/platform';
import { json, stage } from '../fixture';
import { happened } from './stream-fixture';

interface SentMessage {
  readonly type: string;
  readonly id?: string;
  readonly after?: string;
  readonly filter?: object;
  readonly ticket?: string;
}

export const made: FakeSocket[] = [];

const fakeSocket = (url: string, protocols: string[]) => {
  const sent: SentMessage[] = [];
  const socket: WebSocketLike & { isClosed: boolean } = {
    isClosed: false,
    onopen: null,
    onerror: null,
    onmessage: null,
    onclose: null,
    send: (text) => void sent.push(JSON.parse(text) as SentMessage),
    close: () => {
      socket.isClosed = true;
    },
  };
  const receive = (message: unknown): void =>
    socket.onmessage?.({ data: typeof message === 'string' ? message : JSON.stringify(message) });
  const data = (eventId: string) => ({ ...happened, eventId });
  return Object.assign(socket, {
    url,
    protocols,
    sent,
    receive,
    welcome: (expires_at = '2100-01-01T00:00:00.000Z') => receive({ type: 'welcome', expires_at }),
    event: (subscription: string, id: string) =>
      receive({ subscription, id, type: 'event', event: 'PrincipalRegistered', data: data(id) }),
    end: (code: number, reason: string) => socket.onclose?.({ code, reason }),
  });
};
export type FakeSocket = ReturnType<typeof fakeSocket>;

/** What is made with `new` is what the function answers. */
function making(url: string, protocols: string[]): FakeSocket {
  const socket = fakeSocket(url, protocols);
  made.push(socket);
  return socket;
}
const WebSocket = making as unknown as WebSocketConstructor;

export const ticket = (name: string) => json(201, { ticket: name, expires_at: '2100-01-01T00:00:00.000Z' });

export const until = async (holds: () => unknown): Promise<void> => {
  while (!holds()) await new Promise(setImmediate);
};

export const openSockets = (
  answers: Parameters<typeof stage>[0],
  options: ClientOptions = {},
  platform: Partial<Platform> = {},
) => {
  made.length = 0;
  const staged = stage(answers, { WebSocket, ...options }, platform);
  const follow = (after?: string, more: object = {}) =>
    staged.client.followSecurityEvents({ severity: 'SEV-1' }, { transport: 'websocket', after, ...more });
  const socket = async (index = 0): Promise<FakeSocket> => {
    await until(() => made[index]?.onmessage);
    return made[index] ?? assert.fail();
  };
  return { ...staged, follow, socket };
};
