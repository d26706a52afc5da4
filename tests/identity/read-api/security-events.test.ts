import assert from 'node:assert/strict';
import type { PrincipalId } from '../../../domain/kernel/ids';
import { securityEventsView } from '../../../projections/identity/security-events/view';
import { evening, noon } from '../examples';
import { reader, securityRow, startReadApi, stranger } from './fixture';

type ReadApi = Awaited<ReturnType<typeof startReadApi>>;

const idOf = (text: string): PrincipalId => text as PrincipalId;

describe('searching security events', () => {
  let api: ReadApi;
  before(async () => {
    api = await startReadApi();
    await api.views.write(securityEventsView, 9_007_199_254_740_993n, [
      securityRow(),
      securityRow({
        eventId: 'e-1',
        position: '9007199254740993',
        timestamp: evening,
        severity: 'SEV-2',
        result: 'DENY',
        jti: 'token-1',
      }),
      securityRow({
        eventId: 'e-2',
        position: '256',
        type: 'PrincipalSuspended',
        summary: 'Principal suspended: Lost.',
      }),
      securityRow({ eventId: 'e-3', position: '300', principalId: idOf('p-2') }),
    ]);
  });
  after(() => api.close());
  const found = async (query: string, identity = reader()) =>
    (await api.get(`/v1/security/events${query}`, { identity })).body.items.map(
      ({ eventId }: { eventId: string }) => eventId,
    );

  it('answers the newest first, by position', async () =>
    assert.deepEqual(await found(''), ['e-1', 'e-3', 'e-2', 'e-0']));
  it('shows the event without its tenant', async () => {
    const { tenantId: _, revision: __, ...shown } = securityRow();
    assert.deepEqual((await api.get('/v1/security/events')).body.items[3], shown);
  });
  it('pages in that order', async () => {
    const { body } = await api.get('/v1/security/events?limit=1');
    assert.deepEqual(await found(`?limit=9&cursor=${body.next_cursor}`), ['e-3', 'e-2', 'e-0']);
  });
  for (const [query, ids] of [
    ['?principalId=p-2', ['e-3']],
    ['?principalIds=p-2,p-9', ['e-3']],
    ['?principalIds=p-9', []],
    ['?clientIds=acme~none', []],
    ['?actors=p-nobody', []],
    ['?principalId=p-2&principalIds=p-1', ['e-3']],
    ['?type=PrincipalSuspended', ['e-2']],
    ['?severity=SEV-2', ['e-1']],
    ['?result=DENY', ['e-1']],
    ['?result=ALLOW', []],
    ['?jti=token-1', ['e-1']],
    ['?jti=token-2', []],
    [`?from=${evening}`, ['e-1']],
    [`?to=${evening}&principalId=p-1`, ['e-2', 'e-0']],
    [`?from=${noon}&to=${noon}`, []],
    ['?q=LOST', ['e-2']],
    ['?q=nothing', []],
  ] as const)
    it(`finds by ${query}`, async () => assert.deepEqual(await found(query), ids));
  it('refuses malformed filters', async () => {
    for (const query of ['from=yesterday', 'severity=SEV-9', 'result=deny', 'principalId=a.b', `q=${'x'.repeat(257)}`])
      assert.equal((await api.get(`/v1/security/events?${query}`)).status, 400, query);
  });
  it('shows another tenant none of it', async () => assert.deepEqual(await found('', stranger), []));
  it('wants the scope', async () => {
    const identity = { ...reader(), scopes: ['principals:read'] };
    for (const path of ['', '/stream'])
      assert.equal((await api.get(`/v1/security/events${path}`, { identity })).status, 403);
  });
});
