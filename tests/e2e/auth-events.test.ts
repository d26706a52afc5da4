/** Authorization decisions of a running system, from the request to the list. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type ClientCredential, contentOf, issueTokenTo, openTenant, type Tenant } from '../support/identity/tenant';
import { openSystem, type SharedSystem, type System } from '../support/processes/running-system';
import { fromRunner, requireElasticsearch } from '../support/servers/shared-servers';
import { eventually } from '../support/waiting/eventually';

interface Decision {
  readonly eventId: string;
  readonly timestamp: string;
  readonly principalId: string | null;
  readonly tenantId: string | null;
  readonly jti: string | null;
  readonly result: string;
  readonly reason?: string;
  readonly sourceIp?: string;
  readonly scopes: readonly string[];
}

interface Page {
  readonly items: readonly Decision[];
  readonly next_cursor: string | null;
  readonly dropped: { readonly ALLOW: number; readonly DENY: number } | null;
}

const path = '/v1/security/auth-events';
const jtiOf = (token: string): string =>
  (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { jti: string }).jti;

describe('authorization decisions', function () {
  this.timeout(240_000);
  let system: System;
  let tenant: Tenant;

  before(async () => {
    await requireElasticsearch();
    system = openSystem(JSON.parse(await fromRunner('system')) as SharedSystem);
    tenant = await openTenant(system);
  });
  after(() => system.close());

  const page = (query: string, token?: string): Promise<Page> =>
    contentOf<Page>(tenant.read(`${path}?${query}`, token === undefined ? {} : { token }));
  const found = async (query: string, isThere: (items: readonly Decision[]) => boolean): Promise<Page> => {
    let last: Page | undefined;
    await eventually(async () => {
      last = await page(query);
      assert.ok(isThere(last.items), JSON.stringify(last));
    });
    return last as Page;
  };
  const pipelineWith = async (
    ...scopes: readonly string[]
  ): Promise<ClientCredential & { readonly principalId: string }> => {
    const made = tenant.send('POST', '/v1/principals', { principalType: 'PIPELINE' });
    const { principalId } = await contentOf<{ readonly principalId: string }>(made);
    const issued = tenant.send('POST', `/v1/principals/${principalId}/credentials`, { scopes });
    return { ...(await contentOf<ClientCredential>(issued)), principalId };
  };
  const statusOf = async (target: string, token?: string): Promise<number> => {
    const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const { status, body } = await fetch(`${system.url}${target}`, { headers });
    await body?.cancel();
    return status;
  };

  it('to allow, and each kind to deny, are listed with the reason, once, and found by their filters', async () => {
    const { principalId, ...credential } = await pipelineWith('principals:read');
    const token = await issueTokenTo(system, credential);
    assert.equal(await statusOf(`/v1/principals/${principalId}`, token), 200);
    assert.equal(await statusOf('/v1/clients/some-client?x=1', token), 403);
    await contentOf(tenant.send('POST', `/v1/principals/${principalId}/suspend`, { reason: 'It leaked.' }));
    await eventually(async () => assert.equal(await statusOf(`/v1/principals/${principalId}`, token), 401));
    const { items, dropped } = await found(`principalId=${principalId}`, (all) =>
      all.some(({ reason }) => reason === 'token_revoked'),
    );
    assert.deepEqual(dropped, { ALLOW: 0, DENY: 0 });
    for (const item of items)
      assert.deepEqual([item.jti, item.tenantId, item.principalId], [jtiOf(token), tenant.tenantId, principalId]);
    assert.ok(items.every(({ scopes, sourceIp }) => scopes.includes('principals:read') && sourceIp !== undefined));
    const [first, second] = items.toReversed();
    assert.deepEqual([first?.result, first?.reason], ['ALLOW', undefined]);
    assert.deepEqual([second?.result, second?.reason], ['DENY', 'insufficient_scope']);
    const ids = async (query: string) =>
      (await page(`principalId=${principalId}&${query}`)).items.map((one) => one.eventId);
    assert.deepEqual(await ids('reason=insufficient_scope&result=DENY'), [second?.eventId]);
    assert.deepEqual(await ids('reason=insufficient_scope&result=ALLOW'), []);
    assert.ok((await ids(`jti=${jtiOf(token)}`)).includes(first?.eventId ?? ''));
    assert.deepEqual(await ids(`jti=${randomUUID()}`), []);
    assert.deepEqual(await ids(`to=${first?.timestamp}`), []);
    const paged: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const one: Page = await page(`principalId=${principalId}&limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`);
      paged.push(...one.items.map(({ eventId }) => eventId));
      cursor = one.next_cursor;
    }
    assert.deepEqual(
      paged,
      items.map(({ eventId }) => eventId),
    );
  });

  it('are seen by nobody of another tenant, and not without the scope', async () => {
    const mine = await found('limit=1', (all) => all.length > 0);
    const other = await openTenant(system);
    const theirs = await contentOf<Page>(other.read(`${path}?jti=${mine.items[0]?.jti}`));
    assert.deepEqual(theirs.items, []);
    const token = await issueTokenTo(system, await pipelineWith('principals:read'));
    assert.equal(await statusOf(path, token), 403);
    assert.equal((await tenant.read(`${path}?about=strangers`)).status, 403);
  });

  it('about nobody are for operators', async () => {
    assert.ok(system.operator !== undefined);
    const token = await issueTokenTo(system, system.operator);
    assert.equal(await statusOf('/v1/principals'), 401);
    await eventually(async () => {
      const { items } = await page('about=strangers&reason=missing_token', token);
      assert.ok(items.length > 0);
      for (const { tenantId, principalId, jti } of items)
        assert.deepEqual([tenantId, principalId, jti], [null, null, null]);
    });
  });

  it('lose the address of a person who is forgotten', async () => {
    const { principalId, ...credential } = await pipelineWith('principals:read');
    const token = await issueTokenTo(system, credential);
    assert.equal(await statusOf(`/v1/principals/${principalId}`, token), 200);
    const query = `principalId=${principalId}`;
    await found(query, ([one]) => one?.sourceIp !== undefined);
    await contentOf(tenant.send('POST', '/v1/privacy/forget', { subject: principalId, reason: 'asked-for' }));
    const { items } = await found(query, (all) => all.length > 0 && all.every((one) => one.sourceIp === undefined));
    assert.equal(items[0]?.principalId, principalId);
  });
});
