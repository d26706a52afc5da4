/** Streams over server-sent events that end in every way. */
import assert from 'node:assert/strict';
import { isClientError, isProblem } from '../../../../packages/client/src/index';
import type { FollowState } from '../../../../packages/client/src/streams/follow-stream';
import { failure, json, problem, silence, stage } from '../fixture';
import { end, frame, happened, open, ready, registeredEvent, resumedAt, sse, take } from './stream-fixture';

describe('client: following', () => {
  it('tells events with id, type and typed data', async () => {
    const { client, requests } = stage([sse('retry: 9\n\n', ready('a'), registeredEvent('b'))]);
    for await (const event of client.followSecurityEvents({ severity: 'SEV-1' }, { after: 'z' })) {
      assert.deepEqual(event, { id: 'b', event: 'PrincipalRegistered', data: { ...happened, eventId: 'b' } });
      break;
    }
    const [{ url, headers } = assert.fail()] = requests;
    assert.equal(url, 'http://septet.test/v1/security/events/stream?severity=SEV-1');
    assert.deepEqual([headers.get('accept'), headers.get('last-event-id')], ['text/event-stream', 'z']);
  });

  it('goes on behind what came last, over every kind of end', async () => {
    const { client, requests } = stage([
      sse(ready('a'), registeredEvent('b')),
      new TypeError('fetch failed'),
      problem(503, 'service-unavailable', { 'retry-after': '1' }),
      problem(429, 'too-many-streams', { 'retry-after': '10' }),
      problem(500, 'internal-error'),
      sse(registeredEvent('c'), end('draining')),
      sse(frame('d', 'checkpoint', { position: 'd' }), end('come-back')),
      sse(registeredEvent('e')),
    ]);
    const following = client.followSecurityEvents();
    assert.deepEqual(await take(following, 3), ['b', 'c', 'e']);
    assert.deepEqual(requests.map(resumedAt), [null, 'b', 'b', 'b', 'b', 'b', 'c', 'd']);
    assert.equal(following.after(), 'e');
  });

  it('follows the log of a job to its end, and does not come back after it', async () => {
    const chunk = {
      type: 'log_chunk',
      attempt: 1,
      runId: 'r',
      jobId: 'j',
      chunkOffset: 4,
      byteOffsetStart: 0,
      byteOffsetEnd: 2,
      lineStart: 0,
      text: 'a\n',
      emittedAt: '2026-01-31T12:00:00.000Z',
    };
    const ended = { type: 'log_end', runId: 'r', jobId: 'j', attempt: 1, chunks: 5, isWhole: true };
    const last = `event: log_end\ndata: ${JSON.stringify(ended)}\n\n`;
    const { client, requests } = stage([
      sse(frame('4', 'log_chunk', chunk), end('come-back')),
      sse(last, end('log-ended')),
    ]);
    const events: string[] = [];
    // It is not on the socket of streams.
    for await (const { event } of client.followJobLog({ jobId: 'j/1', fromOffset: 4 }, { transport: 'websocket' }))
      events.push(event);
    assert.deepEqual(events, ['log_chunk', 'log_end']);
    assert.equal(requests[0]?.url, 'http://septet.test/actions/jobs/j%2F1/logs/events?fromOffset=4');
    assert.deepEqual(requests.map(resumedAt), [null, '4']);
  });

  it('waits by chance up to what the server asks, longer while nothing comes, and as long as it must', async () => {
    const { client, pauses } = stage([
      sse('retry: 400\n\n', ready('a')),
      sse('retry: 400\n\n'),
      sse('retry: 400\n\n'),
      problem(429, 'too-many-streams', { 'retry-after': '10' }),
      sse(registeredEvent('b')),
    ]);
    await take(client.followSecurityEvents(), 1);
    assert.deepEqual(pauses, [400, 800, 1_600, 10_800]);
  });

  it('says where it stands', async () => {
    const { client } = stage([sse(ready('a')), sse(registeredEvent('b'))]);
    const states: FollowState[] = [];
    await take(client.followSecurityEvents({}, { onState: (state) => states.push(state) }), 1);
    assert.deepEqual(
      states.map(({ kind }) => kind),
      ['connecting', 'live', 'waiting', 'connecting'],
    );
  });

  it('comes back with another token when that is why it ended, at once', async () => {
    for (const answers of [
      [sse(ready('a'), end('token-expired')), sse(registeredEvent('b'))],
      [sse(ready('a'), end('token_revoked')), sse(registeredEvent('b'))],
      [problem(401, 'token_revoked'), sse(registeredEvent('b'))],
    ]) {
      const { client, requests, pauses } = stage(answers, { token: ({ refresh }) => (refresh ? 'new' : 'old') });
      assert.deepEqual(await take(client.followSecurityEvents(), 1), ['b']);
      assert.deepEqual([requests[1]?.headers.get('authorization'), pauses], ['Bearer new', []]);
    }
  });

  it('gives up where coming back does not help', async () => {
    for (const [answers, kind, code] of [
      [[problem(401, 'unauthenticated')], 'problem', 'unauthenticated'],
      [[problem(403, 'forbidden')], 'problem', 'forbidden'],
      [[problem(400, 'invalid-input')], 'problem', 'invalid-input'],
      [[sse(end('token_revoked'))], 'stream-ended', 'token_revoked'],
    ] as const) {
      const { client } = stage(answers);
      const error = await failure(take(client.followSecurityEvents(), 1));
      assert.ok(isClientError(error) && 'code' in error, String(error));
      assert.deepEqual([error.kind, error.code], [kind, code]);
    }
  });

  for (const [what, response] of [
    ['no event stream', () => json(200, {})],
    ['data that are no JSON', () => sse(ready('a'), 'id: b\nevent: x\ndata: {\n\n')],
    ['data of another form', () => sse(frame('b', 'x', { ...happened, eventId: 7 }))],
    ['an event without an end', () => sse(`data: ${'x'.repeat(2_000)}`)],
  ] as const)
    it(`refuses ${what}`, async () => {
      const { client } = stage([response()], { maxResponseBytes: 1_000 });
      const error = await failure(take(client.followSecurityEvents(), 1));
      assert.ok(isClientError(error) && error.kind === 'unexpected-answer', String(error));
    });

  it('lets go of the connection when the loop is left', async () => {
    const { response, seen } = open(ready('a'), registeredEvent('b'));
    const { client, requests } = stage([response]);
    await take(client.followSecurityEvents(), 1);
    assert.deepEqual([requests[0]?.signal.aborted, seen.cancelled], [true, true]);
  });

  it('rejects with the reason of the caller’s signal, whatever it waits for', async () => {
    const reason = new Error('Enough.');
    const { response, seen } = open(ready('a'));
    for (const answer of [silence, response]) {
      const leaving = new AbortController();
      const { client, requests } = stage([answer]);
      const waiting = failure(take(client.followSecurityEvents({}, { signal: leaving.signal }), 1));
      while (requests.length === 0) await Promise.resolve();
      leaving.abort(reason);
      assert.equal(await waiting, reason);
    }
    assert.ok(seen.cancelled);
    const { client } = stage([]);
    assert.equal(
      await failure(take(client.followSecurityEvents({}, { signal: AbortSignal.abort(reason) }), 1)),
      reason,
    );
  });

  it('reconnects when the server is silent, and not when its events are consumed slowly', async () => {
    const { response, seen } = open(ready('a'), registeredEvent('b'), registeredEvent('c'));
    const { client, requests } = stage([response, sse(registeredEvent('d'))]);
    const ids: string[] = [];
    for await (const { id } of client.followSecurityEvents({}, { silenceMilliseconds: 20 })) {
      ids.push(id);
      if (id === 'd') break;
      await new Promise((resolve) => setTimeout(resolve, 40));
      assert.equal(requests.length, 1);
    }
    assert.deepEqual([ids, seen.cancelled], [['b', 'c', 'd'], true]);
  });

  it('passes on what its token provider throws', async () => {
    const fault = new Error('No token here.');
    const { client } = stage([], { token: () => Promise.reject(fault) });
    assert.equal(await failure(take(client.followSecurityEvents(), 1)), fault);
    assert.ok(!isProblem(fault));
  });
});
