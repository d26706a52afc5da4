import assert from 'node:assert/strict';
import { EventMetadata } from '../../../domain/kernel/metadata';
import { openApi } from '../../../infra/server/http/openapi';
import { type Call, sampleIdentity, startHttpService } from '../../support/http/http-service';
import { recorded } from './tally-fixture';
import { tallyRoutes, tallyStream } from './tally-route';
import { openUnreliableStore, type UnreliableStore } from './unreliable-event-store';

describe('command routes', () => {
  let store: UnreliableStore;
  let service: Awaited<ReturnType<typeof startHttpService>>;
  beforeEach(async () => {
    store = openUnreliableStore();
    service = await startHttpService(tallyRoutes(store));
  });
  afterEach(() => service.close());

  const post = (target: string, body: object, headers: Record<string, string> = {}, more: Call = {}) =>
    service.call(target, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
      ...more,
    });
  const named = (key: string) => ({ 'Idempotency-Key': key });
  const tallyIdOf = async (response: Response): Promise<string> =>
    ((await response.json()) as { tallyId: string }).tallyId;
  const refused = async (response: Response, status: number, code: string) => {
    const problem = (await response.json()) as { code: string; errors?: unknown };
    assert.deepEqual([response.status, problem.code], [status, code]);
    return problem;
  };

  it('answers ids, revision, position, place and key of what it created', async () => {
    const response = await post('/v1/tallies', { amount: 2 }, named('k-1'));
    assert.equal(response.status, 201);
    const tallyId = await tallyIdOf(response);
    const [event] = await recorded(store, tallyStream('acme', tallyId));
    assert.ok(event);
    assert.deepEqual(
      ['ETag', 'Position', 'Location', 'Idempotency-Key'].map((name) => response.headers.get(name)),
      ['W/"0"', event.position.toString(), `/v1/tallies/${tallyId}`, 'k-1'],
    );
    assert.ok(EventMetadata.is(event.metadata));
    const { actor, tenant, $correlationId } = event.metadata;
    assert.deepEqual([actor, tenant, $correlationId], ['p-1', 'acme', 'request-1']);
  });

  it('gives a retry the same answer and no second effect', async () => {
    const [first, again] = [
      await post('/v1/tallies', { amount: 2 }, named('k-1')),
      await post('/v1/tallies', { amount: 2 }, named('k-1')),
    ];
    assert.deepEqual([again.status, again.headers.get('etag')], [201, first.headers.get('etag')]);
    const tallyId = await tallyIdOf(first);
    assert.equal(await tallyIdOf(again), tallyId);
    assert.equal((await recorded(store, tallyStream('acme', tallyId))).length, 1);
  });

  it('refuses the key for another body and for another command', async () => {
    const tallyId = await tallyIdOf(await post('/v1/tallies', { amount: 2 }, named('k-1')));
    await refused(await post('/v1/tallies', { amount: 3 }, named('k-1')), 422, 'idempotency-key-reused');
    const other = await post(`/v1/tallies/${tallyId}/add`, { amount: 2 }, named('k-1'));
    await refused(other, 422, 'idempotency-key-reused');
    assert.equal(other.headers.get('idempotency-key'), 'k-1');
  });

  it('keeps the keys of two callers apart, and those of two tenants', async () => {
    const ids = new Set<string>();
    for (const identity of [
      sampleIdentity,
      { ...sampleIdentity, principalId: 'p-2' },
      { ...sampleIdentity, tenantId: 'other' },
    ])
      ids.add(await tallyIdOf(await post('/v1/tallies', { amount: 2 }, named('k-1'), { identity })));
    assert.equal(ids.size, 3);
  });

  it('cannot name a stream of another tenant', async () => {
    const tallyId = await tallyIdOf(await post('/v1/tallies', { amount: 2 }));
    await post(`/v1/tallies/${tallyId}/add`, { amount: 2 }, {}, { identity: { ...sampleIdentity, tenantId: 'other' } });
    assert.equal((await recorded(store, tallyStream('acme', tallyId))).length, 1);
    await refused(await post('/v1/tallies/acme.x/add', { amount: 2 }), 400, 'invalid-input');
    const forged = { ...sampleIdentity, tenantId: 'acme.t' };
    await refused(await post('/v1/tallies', { amount: 2 }, {}, { identity: forged }), 403, 'forbidden');
  });

  it('makes up a key when none is given, and tells it', async () => {
    const [first, second] = [await post('/v1/tallies', { amount: 2 }), await post('/v1/tallies', { amount: 2 })];
    assert.deepEqual(
      [first, second].map(({ headers }) => headers.get('idempotency-key')),
      ['made-up-1', 'made-up-2'],
    );
    assert.notEqual(await tallyIdOf(first), await tallyIdOf(second));
  });

  for (const [header, value] of [
    ['Idempotency-Key', 'x'.repeat(129)],
    ['Idempotency-Key', 'schlüssel'],
    ['If-Match', '1'],
    ['If-Match', '"1", "2"'],
    ['If-Match', '"-1"'],
    ['If-Match', '"1234567890123456"'],
  ] as const)
    it(`names the header ${header} when it is malformed: ${value.slice(0, 20)}`, async () => {
      const problem = await refused(
        await post('/v1/tallies', { amount: 2 }, { [header]: value }),
        400,
        'invalid-input',
      );
      assert.deepEqual(
        (problem.errors as { pointer: string }[]).map(({ pointer }) => pointer),
        [`/headers/${header}`],
      );
      assert.equal(store.appends(), 0);
    });

  it('holds If-Match in every form', async () => {
    const target = `/v1/tallies/${await tallyIdOf(await post('/v1/tallies', { amount: 2 }))}/add`;
    await refused(await post(target, { amount: 1 }, { 'If-Match': 'W/"7"' }), 412, 'revision-differs');
    for (const [tag, etag] of [
      ['W/"0"', 'W/"1"'],
      ['"1"', 'W/"2"'],
      ['*', 'W/"3"'],
    ] as const)
      assert.equal((await post(target, { amount: 1 }, { 'If-Match': tag })).headers.get('etag'), etag);
    await refused(await post('/v1/tallies/none/add', { amount: 1 }, { 'If-Match': '*' }), 412, 'revision-differs');
  });

  it('answers a refusal by its table, and what it could not prepare', async () => {
    await post('/v1/tallies/t-1/close', { why: 'done' });
    await refused(await post('/v1/tallies/t-1/add', { amount: 1 }), 409, 'tally-closed');
    await refused(await post('/v1/tallies/locked/add', { amount: 1 }), 503, 'signing-unavailable');
    await refused(await post('/v1/tallies/t-2/close', { why: 'x'.repeat(550_000) }), 422, 'event-refused');
  });

  it('says when to come back', async () => {
    store.mishaps.push('away');
    const away = await post('/v1/tallies', { amount: 1 });
    assert.equal(away.headers.get('retry-after'), '1');
    await refused(away, 503, 'event-store-unavailable');
    store.mishaps.push('dropped', 'dropped', 'dropped', 'dropped');
    await refused(await post('/v1/tallies', { amount: 1 }), 503, 'event-store-ambiguous');
  });

  it('is documented with its headers and problems', () => {
    const { paths } = openApi('Tallies', tallyRoutes(store));
    const operation = JSON.stringify(paths['/v1/tallies/{tallyId}/add']);
    for (const word of ['Idempotency-Key', 'If-Match', 'tally-closed', 'revision-differs', 'idempotency-key-reused'])
      assert.ok(operation.includes(word), word);
  });
});
