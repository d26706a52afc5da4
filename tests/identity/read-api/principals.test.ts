import assert from 'node:assert/strict';
import type { Instant } from '../../../domain/kernel/codec';
import type { PrincipalId } from '../../../domain/kernel/ids';
import { principalHistoryView } from '../../../projections/identity/principal-history/view';
import { searchTerms } from '../../../projections/identity/principals/search-terms';
import { principalsView } from '../../../projections/identity/principals/view';
import { noon, principalId } from '../examples';
import { historyRow, principalRow, reader, startReadApi, stranger } from './fixture';

type ReadApi = Awaited<ReturnType<typeof startReadApi>>;

const seconds = (count: number): Instant => new Date(Date.parse(noon) + count * 1000).toISOString() as Instant;
const idOf = (text: string): PrincipalId => text as PrincipalId;

describe('reading principals', () => {
  let api: ReadApi;
  const refused = async (path: string, headers: Record<string, string>, status: number, code: string) => {
    const answer = await api.get(path, { headers });
    assert.deepEqual([answer.status, answer.body.code], [status, code]);
    return answer;
  };
  before(async () => {
    api = await startReadApi();
    await api.views.write(principalsView, 7n, [
      principalRow({ revision: 3, isAuditor: true }),
      principalRow({ principalId: idOf('p-2'), createdAt: seconds(2), principalType: 'HUMAN' }),
      principalRow({ principalId: idOf('p-3'), createdAt: seconds(1), status: 'SUSPENDED', securityEpoch: 2 }),
      principalRow({ tenantId: stranger.tenantId as never, principalId: idOf('p-4') }),
    ]);
    await api.views.write(principalHistoryView, 7n, [
      historyRow(),
      historyRow({ revision: 1, eventId: 'e-1', type: 'PrincipalSuspended', reason: 'Lost.' as never }),
      historyRow({ principalId: idOf('p-2'), eventId: 'e-2' }),
    ]);
  });
  after(() => api.close());

  it('answers one with exactly the specified fields and its roles, its revision and the position', async () => {
    const { response, body } = await api.get(`/v1/principals/${principalId}`);
    assert.deepEqual(body, {
      principalId,
      principalType: 'PIPELINE',
      tenantId: 'acme',
      status: 'ACTIVE',
      securityEpoch: 1,
      createdAt: noon,
      name: null,
      login: null,
      roles: ['auditor'],
    });
    assert.deepEqual([response.headers.get('etag'), response.headers.get('position')], ['W/"3"', '7']);
  });
  it('answers 304 while it has not changed', async () => {
    const { status } = await api.get(`/v1/principals/${principalId}`, { headers: { 'if-none-match': 'W/"3"' } });
    assert.equal(status, 304);
  });
  it('answers 404 to an unknown one, with the position it looked at', async () => {
    const { response } = await refused('/v1/principals/p-77', {}, 404, 'not-found');
    assert.equal(response.headers.get('position'), '7');
  });
  it('refuses an id that is none', async () => {
    const { body } = await refused(`/v1/principals/${'x'.repeat(129)}`, {}, 400, 'invalid-input');
    assert.equal(body.errors[0].pointer, '/params/principalId');
  });

  const named = (names: { readonly name: string; readonly login: string }) =>
    principalRow({
      principalId: idOf('p-5'),
      principalType: 'HUMAN',
      createdAt: seconds(-1),
      ...names,
      terms: searchTerms({ principalId: 'p-5', ...names }),
    });
  const listed = async (query: string) =>
    (await api.get(`/v1/principals${query}`)).body.items.map((item: { principalId: string }) => item.principalId);
  it('lists the newest first, page by page', async () => {
    assert.deepEqual(await listed(''), ['p-2', 'p-3', 'p-1']);
    const first = (await api.get('/v1/principals?limit=2')).body;
    assert.deepEqual(await listed(`?limit=2&cursor=${first.next_cursor}`), ['p-1']);
  });
  it('filters by type, status and role', async () => {
    assert.deepEqual(await listed('?role=auditor'), ['p-1']);
    assert.deepEqual(await listed('?role=admin'), []);
    assert.deepEqual(await listed('?principalType=HUMAN'), ['p-2']);
    assert.deepEqual(await listed('?status=SUSPENDED&principalType=PIPELINE'), ['p-3']);
    const { body } = await refused('/v1/principals?status=suspended&limit=0', {}, 400, 'invalid-input');
    assert.deepEqual(body.errors.map(({ pointer }: { pointer: string }) => pointer).sort(), [
      '/query/limit',
      '/query/status',
    ]);
  });
  it('finds by words of name, login and id, together with the filters', async () => {
    await api.views.write(principalsView, 7n, [named({ name: 'Ada Lovelace', login: 'ada@example.org' })]);
    assert.deepEqual(await listed('?q=love%20ada'), ['p-5']);
    assert.deepEqual(await listed('?q=ada&status=ACTIVE&principalType=HUMAN'), ['p-5']);
    assert.deepEqual(await listed('?q=ada&status=SUSPENDED'), []);
    assert.deepEqual(await listed('?q=p-5'), ['p-5']);
    assert.deepEqual(await listed('?q=!'), []);
  });
  it('answers many by their ids at once, those that are there', async () => {
    assert.deepEqual(await listed('?principalIds=p-3,p-99,p-2'), ['p-2', 'p-3']);
    const many = Array.from({ length: 101 }, (_, index) => `p-${index}`).join(',');
    await refused(`/v1/principals?principalIds=${many}`, {}, 400, 'invalid-input');
  });
  it('shows names, with no ETag: they are of another stream', async () => {
    await api.views.write(principalsView, 7n, [named({ name: 'Ada Lovelace', login: 'ada@example.org' })]);
    const { response, body } = await api.get('/v1/principals/p-5');
    assert.deepEqual([body.name, body.login], ['Ada Lovelace', 'ada@example.org']);
    assert.equal(response.headers.get('etag'), null);
  });
  it('shows what happened to one, the newest first', async () => {
    const { body } = await api.get(`/v1/principals/${principalId}/history`);
    assert.deepEqual(
      body.items.map(({ type, reason }: { type: string; reason: string }) => [type, reason]),
      [
        ['PrincipalSuspended', 'Lost.'],
        ['PrincipalRegistered', null],
      ],
    );
    assert.ok(!('tenantId' in body.items[0]));
  });
  it('takes a cursor of one principal’s history for no other', async () => {
    const { body } = await api.get(`/v1/principals/${principalId}/history?limit=1`);
    await refused(`/v1/principals/p-2/history?limit=1&cursor=${body.next_cursor}`, {}, 400, 'invalid-input');
  });

  it('says that a position or revision is not visible yet', async () => {
    const { response } = await refused('/v1/principals', { 'min-position': '8' }, 503, 'not-yet-visible');
    assert.equal(response.headers.get('retry-after'), '1');
    await refused(`/v1/principals/${principalId}`, { 'if-min-revision': 'W/"4"' }, 503, 'not-yet-visible');
  });
  it('names a malformed floor', async () => {
    const { body } = await refused(
      '/v1/principals',
      { 'min-position': 'x', 'if-min-revision': 'x' },
      400,
      'invalid-input',
    );
    assert.deepEqual(
      body.errors.map(({ pointer }: { pointer: string }) => pointer),
      ['/headers/min-position', '/headers/if-min-revision'],
    );
  });
  it('waits for the revision that the caller has seen', async () => {
    const waiting = api.get('/v1/principals/p-2', { headers: { 'if-min-revision': '1' } });
    await api.views.write(principalsView, 8n);
    await api.views.write(principalsView, 9n, [
      principalRow({ principalId: idOf('p-2'), createdAt: seconds(2), status: 'SUSPENDED', revision: 1 }),
    ]);
    assert.equal((await waiting).body.status, 'SUSPENDED');
  });
  it('wants the scope', async () => {
    const identity = { ...reader(), scopes: ['security:read'] };
    for (const path of ['', '/p-1', '/p-1/history'])
      assert.equal((await api.get(`/v1/principals${path}`, { identity })).status, 403);
  });
  it('shows another tenant none of it', async () => {
    const list = await api.get('/v1/principals', { identity: stranger });
    assert.deepEqual(
      list.body.items.map((item: { principalId: string }) => item.principalId),
      ['p-4'],
    );
    assert.equal((await api.get(`/v1/principals/${principalId}`, { identity: stranger })).status, 404);
    const history = await api.get(`/v1/principals/${principalId}/history`, { identity: stranger });
    assert.deepEqual(history.body.items, []);
  });
});
