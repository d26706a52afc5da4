import assert from 'node:assert/strict';
import { grantStream, grants } from '../../../../domain/identity/grant/events';
import { principalStream, principals } from '../../../../domain/identity/principal/events';
import type { TenantId } from '../../../../domain/kernel/ids';
import { jsonOf } from '../../command-api';
import { scope, tenantId } from '../../examples';
import { appSecret, personId, record, registerApplication } from '../../grants/fixture';
import { client, secret } from '../token/fixture';
import { type Stage, startIssuedTokens } from './fixture';

describe('asking what a token is worth', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await startIssuedTokens();
  });
  afterEach(() => stage.process.close());

  it('answers every claim to its client, and to the service that it is for', async () => {
    const { app, service, tokens, introspect } = stage;
    const { access, grantId } = await tokens();
    const introspection = await introspect(access, app);
    assert.deepEqual(
      [introspection.active, introspection.sub, introspection.gid, introspection.token_type],
      [true, personId, grantId, 'Bearer'],
    );
    assert.equal(introspection.scope, (introspection.scopes as string[]).join(' '));
    assert.deepEqual(await introspect(access, service), introspection);
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
    const { shared, tokens, introspect } = stage;
    const { access, current } = await tokens();
    const changes = { authentication: 'client_secret_post' as const, scopes: [scope('tokens:introspect')] };
    const elsewhere = await registerApplication(shared, 'files', { ...changes, audiences: ['https://files.example'] });
    const abroad = await registerApplication(shared, 'app', changes, 'globex' as TenantId);
    for (const caller of [elsewhere, abroad])
      for (const token of [access, current]) assert.deepEqual(await introspect(token, caller), { active: false });
  });

  it('refuses a caller without the scope, by its name, whatever token it asks about', async () => {
    const { process, stranger, tokens, revoke, app } = stage;
    const [{ access }, ended] = [await tokens(), await tokens()];
    assert.equal((await revoke(ended.access, app)).status, 200);
    const [header, payload] = access.split('.');
    for (const token of [access, ended.access, `${header}.${payload}.AAAA`, 'x', 'a.b.c']) {
      const answer = await process.post('/oauth/introspect', { token, client_id: stranger, client_secret: appSecret });
      const body = await jsonOf(answer);
      assert.deepEqual(
        [answer.status, body.error, body.scope, answer.headers.get('cache-control')],
        [403, 'insufficient_scope', 'tokens:introspect', 'no-store'],
        token,
      );
      assert.match(String(body.error_description), /tokens:introspect/);
      assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer .*scope="tokens:introspect"/);
    }
  });

  it('refuses a principal whose credential lacks the scope', async () => {
    const { shared, process, tokens } = stage;
    await record(shared, [principalStream(tenantId, 'checker' as typeof personId), principals], client('acme.checker'));
    const form = { token: (await tokens()).access, client_id: 'acme.checker', client_secret: secret };
    const answer = await process.post('/oauth/introspect', form);
    assert.deepEqual([answer.status, (await jsonOf(answer)).scope], [403, 'tokens:introspect']);
  });

  it('answers a client without the scope about its own tokens, also those that have ended', async () => {
    const { deps, app, tokens, introspect, revoke } = stage;
    const [own, ended] = [await tokens(), await tokens()];
    assert.equal((await revoke(ended.access, app)).status, 200);
    assert.equal((await introspect(own.access, app)).active, true);
    assert.deepEqual(await introspect(ended.access, app), { active: false });
    deps.wait(16 * 60);
    assert.deepEqual(await introspect(own.access, app), { active: false });
  });

  it('is refused to unauthenticated callers', async () => {
    const { process, open: publicClient, app, tokens } = stage;
    const { access } = await tokens();
    assert.equal((await process.post('/oauth/introspect', { token: access, client_id: publicClient })).status, 400);
    assert.equal(
      (await process.post('/oauth/introspect', { token: access, client_id: app, client_secret: 'x' })).status,
      401,
    );
    assert.equal((await process.post('/oauth/introspect', { token: access })).status, 401);
  });

  it('says of what is no token, expired, forged or cut that it is not active', async () => {
    const { deps, service, tokens, introspect } = stage;
    const { access } = await tokens();
    const [header, payload, signature = ''] = access.split('.');
    const forged = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
    const none = `${Buffer.from('{"alg":"none","typ":"at+jwt","kid":"x"}').toString('base64url')}.${payload}.`;
    for (const bad of ['x', none, `${header}.${payload}`, `${header}.${payload}.${forged}`])
      assert.deepEqual(await introspect(bad, service), { active: false }, bad);
    deps.wait(16 * 60);
    assert.deepEqual(await introspect(access, service), { active: false });
  });

  it('knows of a grant that ended, an epoch that rose and a token given back at once', async () => {
    const { shared, app, tokens, introspect, revoke } = stage;
    const [ended, back, old] = [await tokens(), await tokens(), await tokens()];
    const reason = 'Asked.';
    await record(
      shared,
      [grantStream(tenantId, ended.grantId), grants],
      [{ type: 'GrantRevoked', data: { grantId: ended.grantId, principalId: personId, reason } }],
    );
    assert.deepEqual(await introspect(ended.access, app), { active: false });
    assert.equal((await revoke(back.access, app)).status, 200);
    assert.deepEqual(await introspect(back.access, app), { active: false });
    assert.equal((await introspect(old.access, app)).active, true);
    await record(
      shared,
      [principalStream(tenantId, personId), principals],
      [{ type: 'SecurityEpochBumped', data: { principalId: personId, from: 1, to: 2, grants: 'kept', reason } }],
    );
    assert.deepEqual(await introspect(old.access, app), { active: false });
  });

  it('tells of a refresh token to its own application alone, and does not use it', async () => {
    const { app, service, tokens, introspect } = stage;
    const { refreshToken, current, grantId } = await tokens();
    const introspection = await introspect(current, app);
    assert.deepEqual([introspection.active, introspection.gid, introspection.client_id], [true, grantId, app]);
    assert.deepEqual(await introspect(refreshToken, app), { active: false });
    assert.deepEqual(await introspect(current, service), { active: false });
    assert.equal((await introspect(current, app)).active, true);
  });
});
