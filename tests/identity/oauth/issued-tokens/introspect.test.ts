import assert from 'node:assert/strict';
import { grants } from '../../../../domain/identity/grant/events';
import { principals } from '../../../../domain/identity/principal/events';
import { grantStream, principalStream } from '../../../../domain/identity/streams';
import type { TenantId } from '../../../../domain/kernel/ids';
import { jsonOf } from '../../command-api';
import { scope, tenantId } from '../../examples';
import { personId, record, registerApplication } from '../../grants/fixture';
import { client, secret } from '../token/fixture';
import { type Stage, startIssuedTokens } from './fixture';

describe('asking what a token is worth', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await startIssuedTokens();
  });
  afterEach(() => stage.process.close());

  it('answers every claim to its client, and to the service that it is for', async () => {
    const { app, service, tokens, ask } = stage;
    const { access, grantId } = await tokens();
    const told = await ask(access, app);
    assert.deepEqual([told.active, told.sub, told.gid, told.token_type], [true, personId, grantId, 'Bearer']);
    assert.equal(told.scope, (told.scopes as string[]).join(' '));
    assert.deepEqual(await ask(access, service), told);
  });

  it('answers a principal that has the scope by its credential', async () => {
    const { shared, process, tokens } = stage;
    const events = client('acme.checker').map((event) =>
      event.type === 'CredentialIssued'
        ? { ...event, data: { ...event.data, scopes: [scope('tokens:introspect')] } }
        : event,
    );
    await record(shared, [principalStream(tenantId, 'checker' as typeof personId), principals], events);
    const { access } = await tokens();
    const form = { token: access, client_id: 'acme.checker', client_secret: secret };
    assert.equal((await jsonOf(process.post('/oauth/introspect', form))).active, true);
  });

  it('tells a service for which it is not meant nothing, nor one of another tenant', async () => {
    const { shared, stranger, tokens, ask } = stage;
    const { access, current } = await tokens();
    const changes = { authentication: 'client_secret_post' as const, scopes: [scope('tokens:introspect')] };
    const abroad = await registerApplication(shared, 'app', changes, 'globex' as TenantId);
    for (const caller of [stranger, abroad])
      for (const token of [access, current]) assert.deepEqual(await ask(token, caller), { active: false });
  });

  it('is refused to unauthenticated callers', async () => {
    const { process, open: nobody, app, tokens } = stage;
    const { access } = await tokens();
    assert.equal((await process.post('/oauth/introspect', { token: access, client_id: nobody })).status, 400);
    assert.equal(
      (await process.post('/oauth/introspect', { token: access, client_id: app, client_secret: 'x' })).status,
      401,
    );
    assert.equal((await process.post('/oauth/introspect', { token: access })).status, 401);
  });

  it('says of what is no token, expired, forged or cut that it is not active', async () => {
    const { deps, app, tokens, ask } = stage;
    const { access } = await tokens();
    const [header, payload, signature = ''] = access.split('.');
    const forged = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
    const none = `${Buffer.from('{"alg":"none","typ":"at+jwt","kid":"x"}').toString('base64url')}.${payload}.`;
    for (const bad of ['x', none, `${header}.${payload}`, `${header}.${payload}.${forged}`])
      assert.deepEqual(await ask(bad, app), { active: false }, bad);
    deps.wait(16 * 60);
    assert.deepEqual(await ask(access, app), { active: false });
  });

  it('knows of a grant that ended, an epoch that rose and a token given back at once', async () => {
    const { shared, app, tokens, ask, giveBack } = stage;
    const [ended, back, old] = [await tokens(), await tokens(), await tokens()];
    const reason = 'Asked.';
    await record(
      shared,
      [grantStream(tenantId, ended.grantId), grants],
      [{ type: 'GrantRevoked', data: { grantId: ended.grantId, principalId: personId, reason } }],
    );
    assert.deepEqual(await ask(ended.access, app), { active: false });
    assert.equal((await giveBack(back.access, app)).status, 200);
    assert.deepEqual(await ask(back.access, app), { active: false });
    assert.equal((await ask(old.access, app)).active, true);
    await record(
      shared,
      [principalStream(tenantId, personId), principals],
      [{ type: 'SecurityEpochBumped', data: { principalId: personId, from: 1, to: 2, grants: 'kept', reason } }],
    );
    assert.deepEqual(await ask(old.access, app), { active: false });
  });

  it('tells of a refresh token to its own application alone, and does not use it', async () => {
    const { app, service, tokens, ask } = stage;
    const { refreshToken, current, grantId } = await tokens();
    const told = await ask(current, app);
    assert.deepEqual([told.active, told.gid, told.client_id], [true, grantId, app]);
    assert.deepEqual(await ask(refreshToken, app), { active: false });
    assert.deepEqual(await ask(current, service), { active: false });
    assert.equal((await ask(current, app)).active, true);
  });
});
