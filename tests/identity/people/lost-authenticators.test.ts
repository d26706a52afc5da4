/** An administrator removes authenticators that a person lost: with a reason, on record, and only of that person. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { isRight } from 'fp-ts/Either';
import { claimIdentifier, findIdentifierOwner } from '../../../commands/identity/people/identifier-claims';
import { updateAuthenticators } from '../../../commands/identity/people/load-person';
import { handle } from '../../../commands/kernel/handle';
import { principal } from '../../../domain/identity/principal/decider';
import { principalStream } from '../../../domain/identity/principal/events';
import { adminScopes } from '../../../domain/identity/scopes';
import type { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import type { Identity } from '../../../infra/server/http/routing/route';
import { admin, enrolPerson, type PeopleStage, signIn, startPeople } from '../sign-in/fixture';

const tenantId = 'acme' as TenantId;
const passkeyId = 'mFrWZp9n0A';
const reason = 'The phone was stolen.';

describe('what a person has lost', () => {
  let stage: PeopleStage;
  beforeEach(async () => {
    stage = await startPeople();
  });
  afterEach(() => stage.close());

  const acting = { requestId: 'r-1', actor: 'test' };
  const withApp = async (id: string): Promise<void> => {
    const [principalId, at] = [id as PrincipalId, stage.deps.clock.now()];
    const command = { type: 'EnrolTotp', principalId, seed: 'MTIzNDU2Nzg5MDEyMzQ1Njc4OTA', recovery: [], at } as const;
    assert.ok(isRight(await updateAuthenticators(stage.deps, { tenantId, principalId }, { command, context: acting })));
  };
  const passkey = { tenantId, kind: 'passkey', value: passkeyId } as const;
  const withPasskey = async (id: string): Promise<void> => {
    const [principalId, at] = [id as PrincipalId, stage.deps.clock.now()];
    const claiming = { type: 'ClaimIdentifier', principalId, ...acting } as const;
    assert.ok(isRight(await claimIdentifier(stage.deps, passkey, claiming)));
    const key = { passkeyId, publicKey: 'pQECAyYgASFYIA', counter: 0, transports: [], name: 'Phone' };
    const command = { type: 'AddPasskey', principalId, at, enrolment: null, ...key } as const;
    assert.ok(isRight(await updateAuthenticators(stage.deps, { tenantId, principalId }, { command, context: acting })));
  };
  const remove = (principalId: string, what: string, who: Identity = admin, key?: string) =>
    stage.api('POST', `/v1/principals/${principalId}/${what}/remove`, { reason }, who, key);
  const account = async (browser: { open: (path: string) => Promise<{ text: string }> }) =>
    (await browser.open('/account')).text;

  it('app: the next sign-in needs no code, and existing sessions stay', async () => {
    const { principalId, browser } = await enrolPerson(stage);
    await withApp(principalId);
    assert.match((await signIn(stage.browser())).text, /Enter your code/);
    const answer = await remove(principalId, 'totp');
    assert.deepEqual([answer.status, await answer.json()], [200, { principalId }]);
    assert.match((await signIn(stage.browser())).text, /Signed in as/);
    assert.match(
      await account(browser),
      /removed your authenticator app on 2026-01-31 12:0\d UTC: The phone was stolen\./,
    );
    await withApp(principalId);
    assert.doesNotMatch(await account(browser), /removed your/);
  });

  it('passkey: it no longer signs in, even if it was the only method', async () => {
    const { principalId, browser } = await enrolPerson(stage);
    await withPasskey(principalId);
    assert.match(await account(browser), /Phone/);
    assert.equal((await remove(principalId, `passkeys/${passkeyId}`)).status, 200);
    const owner = await findIdentifierOwner(stage.deps, passkey);
    assert.ok(isRight(owner) && owner.right.owner === null);
    const page = await account(browser);
    assert.doesNotMatch(page, /added 20/);
    assert.match(page, /removed your passkey/);
  });

  it('is on record with who took it and why, once for a command that came twice', async () => {
    const { principalId } = await enrolPerson(stage);
    await withApp(principalId);
    for (let times = 0; times < 2; times += 1)
      assert.equal((await remove(principalId, 'totp', admin, 'k')).status, 200);
    const removals: unknown[] = [];
    for await (const { type, data, metadata } of stage.deps.store.readAll({ after: null }))
      if (type.startsWith('identity.TotpRemoved')) removals.push([data, (metadata as { actor: string }).actor]);
    assert.deepEqual(removals, [[{ principalId, removedAt: stage.deps.clock.now(), reason }, 'admin']]);
  });

  it('is taken from an administrator by who may do less, or whose sign-in was long ago: nothing is', async () => {
    const { principalId } = await enrolPerson(stage);
    await withApp(principalId);
    await withPasskey(principalId);
    const grant = { type: 'GrantAuthority', roles: ['admin'], scopes: [], by: 'admin', held: adminScopes } as const;
    const request = { commandId: randomUUID(), tenant: tenantId, actor: 'admin', correlationId: 'r-1' };
    const stream = principalStream(tenantId, principalId as PrincipalId);
    assert.ok(
      isRight(
        await handle(stage.deps, principal, {
          ...request,
          stream,
          command: { ...grant, principalId: principalId as PrincipalId },
        }),
      ),
    );
    const whole = { ...admin, principalId: 'other-admin', scopes: adminScopes };
    const { authenticatedAt, ...withoutSignIn } = whole;
    const refusals: readonly (readonly [Identity, number, string])[] = [
      [admin, 403, 'scope-not-held'],
      [withoutSignIn, 401, 'insufficient-user-authentication'],
      [{ ...whole, authenticatedAt: authenticatedAt - 301_000 }, 401, 'insufficient-user-authentication'],
    ];
    for (const what of ['totp', `passkeys/${passkeyId}`])
      for (const [identity, status, code] of refusals) {
        const answer = await remove(principalId, what, identity);
        assert.deepEqual([answer.status, ((await answer.json()) as { code: string }).code], [status, code]);
      }
    assert.match((await signIn(stage.browser())).text, /Enter your code/);
    assert.equal((await remove(principalId, 'totp', whole)).status, 200);
  });

  it('cannot be removed without authority, from oneself or in another tenant', async () => {
    const { principalId } = await enrolPerson(stage);
    await withApp(principalId);
    await withPasskey(principalId);
    for (const what of ['totp', `passkeys/${passkeyId}`]) {
      assert.equal((await remove(principalId, what, { ...admin, scopes: ['principals:read'] })).status, 403);
      assert.equal((await remove(principalId, what, { ...admin, principalId })).status, 403);
      await remove(principalId, what, { ...admin, tenantId: 'other' });
    }
    assert.match((await signIn(stage.browser())).text, /Enter your code/);
    const owner = await findIdentifierOwner(stage.deps, passkey);
    assert.ok(isRight(owner) && owner.right.owner === principalId);
  });
});
