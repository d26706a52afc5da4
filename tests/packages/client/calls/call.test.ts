import assert from 'node:assert/strict';
import { isClientError, isProblem, isRefusalOf } from '../../../../packages/client/src/index';
import { failure, json, principal, problem, registered, stage } from '../fixture';

const body = { principalType: 'AI_AGENT' } as const;
const reset = new TypeError('fetch failed');

describe('client: one logical call', () => {
  it('answers with ids, revision, position and key', async () => {
    const { client, requests } = stage([registered()]);
    const answered = await client.registerPrincipal({ body }, { idempotencyKey: 'mine' });
    assert.deepEqual(answered, {
      status: 201,
      body: { principalId: 'p-1' },
      etag: 'W/"0"',
      position: '7',
      location: undefined,
      idempotencyKey: 'mine',
      requestId: 'r-1',
    });
    const [{ method, url, headers, body: sent } = assert.fail()] = requests;
    assert.deepEqual([method, url, sent], ['POST', 'http://septet.test/v1/principals', JSON.stringify(body)]);
    assert.equal(headers.get('authorization'), 'Bearer token');
    assert.equal(headers.get('content-type'), 'application/json');
  });

  it('keeps its key over retries and makes another for the next call', async () => {
    const away = () => problem(503, 'event-store-ambiguous', { 'retry-after': '1' });
    const { client, requests } = stage([reset, away(), registered(), registered()]);
    await client.registerPrincipal({ body });
    await client.registerPrincipal({ body });
    const keys = requests.map(({ headers }) => headers.get('idempotency-key'));
    assert.match(String(keys[0]), /^[0-9a-f-]{36}$/);
    assert.deepEqual(keys.slice(0, 3), [keys[0], keys[0], keys[0]]);
    assert.notEqual(keys[3], keys[0]);
  });

  it('gives up after so many tries, and says under which key', async () => {
    const { client, requests } = stage([reset, reset, reset], { attempts: 3 });
    const error = await failure(client.registerPrincipal({ body }, { idempotencyKey: 'mine' }));
    assert.ok(isClientError(error) && error.kind === 'network');
    assert.equal(error.context.idempotencyKey, 'mine');
    assert.equal(error.context.cause, reset);
    assert.equal(requests.length, 3);
  });

  it('waits longer each time, by chance, and never less than Retry-After says', async () => {
    const later = () => problem(503, 'service-unavailable', { 'retry-after': '2' });
    const { client, pauses } = stage([reset, reset, later(), registered()]);
    await client.registerPrincipal({ body });
    assert.deepEqual(pauses, [100, 200, 2_400]);
  });

  it('takes a date for Retry-After, and nonsense for none', async () => {
    const at = new Date(Date.now() + 3_000).toUTCString();
    const answers = [at, 'soon', '-1', '1e9'].map((value) => problem(503, 'timeout', { 'retry-after': value }));
    const { client, pauses } = stage([...answers, registered()]);
    await client.registerPrincipal({ body });
    const [dated = 0, ...rest] = pauses;
    assert.ok(dated > 1_000 && dated <= 3_100, String(dated));
    assert.deepEqual(rest, [200, 400, 800]);
  });

  it('does not wait for what comes too late', async () => {
    const { client, pauses } = stage([problem(503, 'service-unavailable', { 'retry-after': '60' })]);
    const error = await failure(client.registerPrincipal({ body }, { timeoutMilliseconds: 5_000 }));
    assert.ok(isProblem(error, 'service-unavailable'));
    assert.equal(error.retryAfterSeconds, 60);
    assert.deepEqual(pauses, []);
  });

  it('asks again where a resource kept changing, not where a rule refuses', async () => {
    const { client, requests } = stage([
      problem(409, 'conflict', { 'retry-after': '1' }),
      problem(409, 'principal-suspended'),
    ]);
    const error = await failure(client.suspendPrincipal({ principalId: 'p-1', body: { reason: 'Lost.' } }));
    assert.ok(isRefusalOf(error, 'suspendPrincipal'));
    assert.equal(error.code, 'principal-suspended');
    assert.equal(requests.length, 2);
  });

  for (const [what, answer, tries] of [
    ['too many requests', () => problem(429, 'too-many-requests', { 'retry-after': '1' }), 2],
    ['a service that went away', () => problem(503, 'service-unavailable'), 1],
    ['a connection that broke', () => Promise.reject(reset), 1],
  ] as const)
    it(`sends what has no key ${tries === 2 ? 'again' : 'once'} after ${what}`, async () => {
      const done = json(200, { jobId: '4' });
      const { client, requests } = stage([answer, done]);
      await failure(client.replayDeadLetter({ jobId: '4' }));
      assert.equal(requests.length, tries);
    });

  it('does not ask again after a refusal or a defect', async () => {
    for (const [status, code] of [
      [400, 'invalid-input'],
      [403, 'forbidden'],
      [404, 'principal-unknown'],
      [412, 'revision-differs'],
      [422, 'idempotency-key-reused'],
      [500, 'internal-error'],
    ] as const) {
      const { client, requests } = stage([problem(status, code)]);
      const error = await failure(client.registerPrincipal({ body }));
      assert.ok(isProblem(error, code), code);
      assert.equal(requests.length, 1);
    }
  });

  it('shows revisions as ETags', async () => {
    const { client, requests } = stage([json(200, { principalId: 'p-1' }), json(200, principal)]);
    await client.suspendPrincipal({ principalId: 'p-1', body: { reason: 'Lost.' } }, { ifMatch: 'W/"3"' });
    await client.getPrincipal({ principalId: 'p-1' }, { minRevision: 'W/"4"' });
    assert.equal(requests[0]?.headers.get('if-match'), 'W/"3"');
    assert.equal(requests[1]?.headers.get('if-min-revision'), 'W/"4"');
  });

  it('answers 304 without a body', async () => {
    const { client, requests } = stage([new Response(null, { status: 304, headers: { etag: 'W/"4"' } })]);
    const found = await client.getPrincipal({ principalId: 'p-1' }, { ifNoneMatch: 'W/"4"' });
    assert.deepEqual([found.status, found.body, found.etag], [304, undefined, 'W/"4"']);
    assert.equal(requests[0]?.headers.get('if-none-match'), 'W/"4"');
  });
});
