/** Streams that share a WebSocket. */
import assert from 'node:assert/strict';
import { type FakeSocket, made, openSockets, ticket, until } from './socket-fixture';
import { take } from './stream-fixture';

describe('client: following on one socket', () => {
  it('opens one by a ticket for all, and closes it behind the last', async () => {
    const { follow, socket, requests } = openSockets([ticket('t1')], { baseUrl: 'https://septet.test/api' });
    const both = [take(follow('z'), 2), take(follow(), 1)];
    const one = await socket();
    assert.equal(requests[0]?.url, 'https://septet.test/api/v1/streams/tickets');
    assert.deepEqual(
      [one.url, one.protocols],
      ['wss://septet.test/api/v1/streams', ['septet.streams.v1', 'septet.ticket.t1']],
    );
    one.welcome();
    assert.deepEqual(one.sent, [
      { type: 'subscribe', id: 's1', stream: 'security-events', filter: { severity: 'SEV-1' }, after: 'z' },
      { type: 'subscribe', id: 's2', stream: 'security-events', filter: { severity: 'SEV-1' } },
    ]);
    one.receive({ type: 'subscribed', subscription: 's1' });
    one.receive({ type: 'something', new: true });
    one.event('s1', 'a');
    one.event('s2', 'a');
    await until(() => one.sent.length === 3);
    assert.deepEqual([one.sent[2], one.isClosed], [{ type: 'unsubscribe', id: 's2' }, false]);
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
        one.receive({
          type: 'unsubscribed',
          subscription: 's1',
          problem: { status: 503, code: 'event-store-unavailable' },
        }),
    ]) {
      const { follow, socket } = openSockets([ticket('t1'), ticket('t2')]);
      const seen = take(follow(), 2);
      const one = await socket();
      one.welcome();
      one.event('s1', 'a');
      end(one);
      const other = await socket(1);
      other.welcome();
      assert.equal(other.sent[0]?.after, 'a');
      other.event('s1', 'b');
      assert.deepEqual(await seen, ['a', 'b']);
    }
  });

  it('asks again for what there is no room for, instead of growing or dropping', async () => {
    const { follow, socket } = openSockets([ticket('t1'), ticket('t2')]);
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
    const after = Number(other.sent[0]?.after);
    assert.deepEqual(
      ids,
      Array.from({ length: after + 1 }, (_, id) => String(id)),
    );
    other.event('s1', String(after + 1));
    assert.equal((await next).value?.id, String(after + 1));
    await iterator.return?.();
  });

  it('takes another socket where one carries as much as it may', async () => {
    const { follow, socket, client } = openSockets([ticket('t1'), ticket('t2')]);
    const all = Array.from({ length: 33 }, () => take(follow(), 1));
    const [one, other] = [await socket(0), await socket(1)];
    one.welcome();
    other.welcome();
    assert.deepEqual([one.sent.length, other.sent.length], [32, 1]);
    for (let name = 1; name <= 32; name += 1) one.event(`s${name}`, 'a');
    other.event('s1', 'a');
    await Promise.all(all);
    client.close();
  });

  it('shows a fresh token before the old one ends', async () => {
    const { follow, socket, requests } = openSockets([ticket('t1'), ticket('t2')], {
      token: ({ refresh }) => (refresh ? 'new' : 'old'),
    });
    const seen = take(follow(), 1);
    const one = await socket();
    one.welcome(new Date(Date.now() + 5).toISOString());
    await until(() => one.sent.length === 2);
    assert.deepEqual(one.sent[1], { type: 'authenticate', ticket: 't2' });
    assert.equal(requests[1]?.headers.get('authorization'), 'Bearer new');
    one.receive({ type: 'authenticated', expires_at: '2100-01-01T00:00:00.000Z' });
    one.event('s1', 'a');
    await seen;
  });

  it('comes back with another token when the old one ended', async () => {
    const { follow, socket, requests, pauses } = openSockets([ticket('t1'), ticket('t2')], {
      token: ({ refresh }) => (refresh ? 'new' : 'old'),
    });
    const seen = take(follow(), 1);
    (await socket()).end(4401, 'token-expired');
    const other = await socket(1);
    other.welcome();
    other.event('s1', 'a');
    await seen;
    assert.deepEqual([requests[1]?.headers.get('authorization'), pauses], ['Bearer new', []]);
  });

  it('pings what is quiet, and leaves what stays silent', async () => {
    let now = 0;
    const { follow, socket } = openSockets([ticket('t1'), ticket('t2')], {}, { now: () => now });
    const seen = take(follow(undefined, { silenceMilliseconds: 30 }), 1);
    const one = await socket();
    one.welcome();
    now = 20;
    await until(() => one.sent.some(({ type }) => type === 'ping'));
    one.receive({ type: 'pong' });
    now = 40;
    await until(() => one.sent.filter(({ type }) => type === 'ping').length > 1);
    assert.equal(one.isClosed, false);
    now = 80;
    await until(() => one.isClosed);
    const other = await socket(1);
    other.welcome();
    other.event('s1', 'a');
    assert.deepEqual(await seen, ['a']);
  });
});
