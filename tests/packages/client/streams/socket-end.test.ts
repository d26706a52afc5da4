/** How streams on a WebSocket end for good. */
import assert from 'node:assert/strict';
import { isClientError, isProblem } from '../../../../packages/client/src/index';
import { failure, problem, type RecordedRequest, silence, stage } from '../fixture';
import { made, openSockets, ticket } from './socket-fixture';
import { take } from './stream-fixture';

describe('client: the end of following on a socket', () => {
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
      const { follow, socket } = openSockets([ticket('t1')]);
      const seen = failure(take(follow(), 1));
      const one = await socket();
      one.welcome();
      one.receive(words);
      const error = await seen;
      assert.ok(isClientError(error), String(error));
      assert.equal(error.kind, kind);
      assert.ok(one.isClosed);
    });

  it('says why it gets no ticket, and why there is no socket', async () => {
    const { follow } = openSockets([problem(401, 'unauthenticated')]);
    assert.ok(isProblem(await failure(take(follow(), 1)), 'unauthenticated'));
    const without = stage([ticket('t1')], {}, { WebSocket: undefined });
    const nowhere = without.client.followSecurityEvents({}, { transport: 'websocket' });
    assert.match(String(await failure(take(nowhere, 1))), /TypeError: There is no WebSocket here/);
  });

  it('leaves with the caller’s signal, and with the client', async () => {
    const reason = new Error('Enough.');
    const leaving = new AbortController();
    const { follow, socket } = openSockets([ticket('t1')]);
    const seen = failure(take(follow(undefined, { signal: leaving.signal }), 1));
    const one = await socket();
    leaving.abort(reason);
    assert.equal(await seen, reason);
    assert.ok(one.isClosed);
    const answer = (request: RecordedRequest) => (request.url.endsWith('/tickets') ? ticket('t1') : silence(request));
    const { client, ...other } = openSockets([answer, answer]);
    const both = [failure(take(other.follow(), 1)), failure(take(client.followSecurityEvents(), 1))];
    await other.socket();
    client.close();
    for (const error of await Promise.all(both)) assert.match(String(error), /The client was closed/);
    assert.ok(made[0]?.isClosed);
  });
});
