/** Streams that share a WebSocket whose other end is in the test's hand. */
import assert from 'node:assert/strict';
import { isClientError, isProblem, type StreamEvent } from '../../../infra/client';
import type { ClientOptions } from '../../../infra/client/options';
import type { Platform, WebSocketConstructor, WebSocketLike } from '../../../infra/client/platform';
import { type Asked, failure, json, problem, silence, stage } from './stage';

const happened = {
  eventId: 'e',
  position: '1',
  timestamp: '2026-01-31T12:00:00.000Z',
  type: 'PrincipalRegistered',
  principalId: 'p-1',
  principalType: null,
  actor: 'p-0',
  severity: null,
  summary: 'It happened.',
  details: {},
};

interface Said {
  readonly type: string;
  readonly id?: string;
  readonly after?: string;
  readonly filter?: object;
  readonly ticket?: string;
}

const made: FakeSocket[] = [];

const fakeSocket = (url: string, protocols: string[]) => {
  const said: Said[] = [];
  const socket: WebSocketLike & { isClosed: boolean } = {
    isClosed: false,
    onopen: null,
    onerror: null,
    onmessage: null,
    onclose: null,
    send: (text) => void said.push(JSON.parse(text) as Said),
    close: () => {
      socket.isClosed = true;
    },
  };
  const tell = (message: unknown): void =>
    socket.onmessage?.({ data: typeof message === 'string' ? message : JSON.stringify(message) });
  const data = (eventId: string) => ({ ...happened, eventId });
  return Object.assign(socket, {
    url,
    protocols,
    said,
    tell,
    welcome: (expires_at = '2100-01-01T00:00:00.000Z') => tell({ type: 'welcome', expires_at }),
    event: (subscription: string, id: string) =>
      tell({ subscription, id, type: 'event', event: 'PrincipalRegistered', data: data(id) }),
    end: (code: number, reason: string) => socket.onclose?.({ code, reason }),
  });
};
type FakeSocket = ReturnType<typeof fakeSocket>;

/** What is made with `new` is what the function answers. */
function making(url: string, protocols: string[]): FakeSocket {
  const socket = fakeSocket(url, protocols);
  made.push(socket);
  return socket;
}
const WebSocket = making as unknown as WebSocketConstructor;

const ticket = (name: string) => json(201, { ticket: name, expires_at: '2100-01-01T00:00:00.000Z' });

const ask = async (holds: () => unknown): Promise<void> => {
  while (!holds()) await new Promise(setImmediate);
};

const open = (answers: Parameters<typeof stage>[0], options: ClientOptions = {}, platform: Partial<Platform> = {}) => {
  made.length = 0;
  const staged = stage(answers, { WebSocket, ...options }, platform);
  const follow = (after?: string, more: object = {}) =>
    staged.client.followSecurityEvents({ severity: 'SEV-1' }, { transport: 'websocket', after, ...more });
  const socket = async (index = 0): Promise<FakeSocket> => {
    await ask(() => made[index]?.onmessage);
    return made[index] ?? assert.fail();
  };
  return { ...staged, follow, socket };
};

const take = async (events: AsyncIterable<StreamEvent<unknown>>, count: number): Promise<readonly string[]> => {
  const ids: string[] = [];
  for await (const { id } of events) if (ids.push(id) === count) break;
  return ids;
};

describe('client: following on one socket', () => {
  it('opens one by a ticket for all, and closes it behind the last', async () => {
    const { follow, socket, asked } = open([ticket('t1')], { baseUrl: 'https://septet.test/api' });
    const both = [take(follow('z'), 2), take(follow(), 1)];
    const one = await socket();
    assert.equal(asked[0]?.url, 'https://septet.test/api/v1/streams/tickets');
    assert.deepEqual(
      [one.url, one.protocols],
      ['wss://septet.test/api/v1/streams', ['septet.streams.v1', 'septet.ticket.t1']],
    );
    one.welcome();
    assert.deepEqual(one.said, [
      { type: 'subscribe', id: 's1', stream: 'security-events', filter: { severity: 'SEV-1' }, after: 'z' },
      { type: 'subscribe', id: 's2', stream: 'security-events', filter: { severity: 'SEV-1' } },
    ]);
    one.tell({ type: 'subscribed', subscription: 's1' });
    one.tell({ type: 'something', new: true });
    one.event('s1', 'a');
    one.event('s2', 'a');
    await ask(() => one.said.length === 3);
    assert.deepEqual([one.said[2], one.isClosed], [{ type: 'unsubscribe', id: 's2' }, false]);
    one.event('s2', 'b');
    one.event('s1', 'b');
    assert.deepEqual(await Promise.all(both), [['a', 'b'], ['a']]);
    assert.ok(one.isClosed);
    assert.equal(made.length, 1);
  });

  it('goes on behind what came last on another socket, whatever ended the first', async () => {
    for (const end of [
      (one: FakeSocket) => one.end(1012, 'draining'),
      (one: FakeSocket) => one.end(1006, ''),
      (one: FakeSocket) =>
        one.tell({
          type: 'unsubscribed',
          subscription: 's1',
          problem: { status: 503, code: 'event-store-unavailable' },
        }),
    ]) {
      const { follow, socket } = open([ticket('t1'), ticket('t2')]);
      const seen = take(follow(), 2);
      const one = await socket();
      one.welcome();
      one.event('s1', 'a');
      end(one);
      const other = await socket(1);
      other.welcome();
      assert.equal(other.said[0]?.after, 'a');
      other.event('s1', 'b');
      assert.deepEqual(await seen, ['a', 'b']);
    }
  });

  it('asks again for what there is no room for, instead of growing or dropping', async () => {
    const { follow, socket } = open([ticket('t1'), ticket('t2')]);
    const iterator = follow()[Symbol.asyncIterator]();
    const first = iterator.next();
    const one = await socket();
    one.welcome();
    for (let id = 0; id < 5_000; id += 1) one.event('s1', String(id));
    assert.ok(one.isClosed);
    const ids = [(await first).value?.id];
    while (ids.length < 1_000) ids.push((await iterator.next()).value?.id);
    const next = iterator.next();
    const other = await socket(1);
    other.welcome();
    const after = Number(other.said[0]?.after);
    assert.deepEqual(
      ids,
      Array.from({ length: after + 1 }, (_, id) => String(id)),
    );
    other.event('s1', String(after + 1));
    assert.equal((await next).value?.id, String(after + 1));
    await iterator.return?.();
  });

  it('takes another socket where one carries as much as it may', async () => {
    const { follow, socket, client } = open([ticket('t1'), ticket('t2')]);
    const all = Array.from({ length: 33 }, () => take(follow(), 1));
    const [one, other] = [await socket(0), await socket(1)];
    one.welcome();
    other.welcome();
    assert.deepEqual([one.said.length, other.said.length], [32, 1]);
    for (let name = 1; name <= 32; name += 1) one.event(`s${name}`, 'a');
    other.event('s1', 'a');
    await Promise.all(all);
    client.close();
  });

  it('shows a fresh token before the old one ends', async () => {
    const { follow, socket, asked } = open([ticket('t1'), ticket('t2')], {
      token: ({ refresh }) => (refresh ? 'new' : 'old'),
    });
    const seen = take(follow(), 1);
    const one = await socket();
    one.welcome(new Date(Date.now() + 5).toISOString());
    await ask(() => one.said.length === 2);
    assert.deepEqual(one.said[1], { type: 'authenticate', ticket: 't2' });
    assert.equal(asked[1]?.headers.get('authorization'), 'Bearer new');
    one.tell({ type: 'authenticated', expires_at: '2100-01-01T00:00:00.000Z' });
    one.event('s1', 'a');
    await seen;
  });

  it('comes back with another token when the old one ended', async () => {
    const { follow, socket, asked, pauses } = open([ticket('t1'), ticket('t2')], {
      token: ({ refresh }) => (refresh ? 'new' : 'old'),
    });
    const seen = take(follow(), 1);
    (await socket()).end(4401, 'token-expired');
    const other = await socket(1);
    other.welcome();
    other.event('s1', 'a');
    await seen;
    assert.deepEqual([asked[1]?.headers.get('authorization'), pauses], ['Bearer new', []]);
  });

  it('pings what is quiet, and leaves what stays silent', async () => {
    let now = 0;
    const { follow, socket } = open([ticket('t1'), ticket('t2')], {}, { now: () => now });
    const seen = take(follow(undefined, { silenceMilliseconds: 30 }), 1);
    const one = await socket();
    one.welcome();
    now = 20;
    await ask(() => one.said.some(({ type }) => type === 'ping'));
    one.tell({ type: 'pong' });
    now = 40;
    await ask(() => one.said.filter(({ type }) => type === 'ping').length > 1);
    assert.equal(one.isClosed, false);
    now = 80;
    await ask(() => one.isClosed);
    const other = await socket(1);
    other.welcome();
    other.event('s1', 'a');
    assert.deepEqual(await seen, ['a']);
  });

  for (const [what, words, kind] of [
    [
      'a refusal',
      { type: 'refused', subscription: 's1', problem: { status: 403, code: 'forbidden', detail: 'No.' } },
      'problem',
    ],
    ['a refusal without a reason', { type: 'refused', subscription: 's1', problem: 4 }, 'unexpected-answer'],
    ['data of another form', { type: 'event', subscription: 's1', id: 'a', event: 'x', data: 4 }, 'unexpected-answer'],
    ['what is no message', '<html>', 'unexpected-answer'],
    ['a message without a type', '{"type":4}', 'unexpected-answer'],
  ] as const)
    it(`gives up after ${what}`, async () => {
      const { follow, socket } = open([ticket('t1')]);
      const seen = failure(take(follow(), 1));
      const one = await socket();
      one.welcome();
      one.tell(words);
      const error = await seen;
      assert.ok(isClientError(error), String(error));
      assert.equal(error.kind, kind);
      assert.ok(one.isClosed);
    });

  it('says why it gets no ticket, and why there is no socket', async () => {
    const { follow } = open([problem(401, 'unauthenticated')]);
    assert.ok(isProblem(await failure(take(follow(), 1)), 'unauthenticated'));
    const without = stage([ticket('t1')], {}, { WebSocket: undefined });
    const nowhere = without.client.followSecurityEvents({}, { transport: 'websocket' });
    assert.match(String(await failure(take(nowhere, 1))), /TypeError: There is no WebSocket here/);
  });

  it('leaves with the caller’s signal, and with the client', async () => {
    const reason = new Error('Enough.');
    const leaving = new AbortController();
    const { follow, socket } = open([ticket('t1')]);
    const seen = failure(take(follow(undefined, { signal: leaving.signal }), 1));
    const one = await socket();
    leaving.abort(reason);
    assert.equal(await seen, reason);
    assert.ok(one.isClosed);
    const answer = (asked: Asked) => (asked.url.endsWith('/tickets') ? ticket('t1') : silence(asked));
    const { client, ...other } = open([answer, answer]);
    const both = [failure(take(other.follow(), 1)), failure(take(client.followSecurityEvents(), 1))];
    await other.socket();
    client.close();
    for (const error of await Promise.all(both)) assert.match(String(error), /The client was closed/);
    assert.ok(made[0]?.isClosed);
  });
});
