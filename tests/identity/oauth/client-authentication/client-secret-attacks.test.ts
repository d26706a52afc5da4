import assert from 'node:assert/strict';
import { decodeJwt } from 'jose';
import type { ApplicationId, CredentialId } from '../../../../domain/identity/ids';
import type { PrincipalId } from '../../../../domain/kernel/ids';
import { scope } from '../../examples';
import { client, secret } from '../token/fixture';
import { type Applications, assertAnswer, startApplications } from './fixture';

const applicationId = 'app' as ApplicationId;

describe('applications at the token endpoint', () => {
  let around: Applications;
  beforeEach(async () => {
    around = await startApplications();
    await around.register('acme~app');
    await around.addSecret('acme~app');
  });
  afterEach(() => around.close());

  it('get a token for the service they stand for', async () => {
    const answer = await around.basic('acme~app');
    const { access_token: token } = (await answer.json()) as { access_token: string };
    const { sub, client_id: clientId, principal_type: type, scope: scopes } = decodeJwt(token);
    assert.deepEqual(
      [sub, clientId, type, scopes],
      ['p-1', 'acme~app', 'PIPELINE', 'principals:read principals:write'],
    );
    const [event] = await around.issued();
    assert.deepEqual([event?.clientId, event?.credentialId, event?.principalId], ['acme~app', null, 'p-1']);
  });

  it('send the secret in the header or the form, whichever they are registered for', async () => {
    await around.register('acme~form', { authentication: 'client_secret_post' });
    await around.addSecret('acme~form');
    for (const clientId of ['acme~app', 'acme~form']) {
      await assertAnswer(around.post({ client_id: clientId, client_secret: secret }), 200);
      await assertAnswer(around.basic(clientId), 200);
    }
  });

  it('send it in the one way that they are held to', async () => {
    await around.register('acme~header', { exactAuthentication: true });
    await around.register('acme~form', { authentication: 'client_secret_post', exactAuthentication: true });
    for (const clientId of ['acme~header', 'acme~form']) await around.addSecret(clientId);
    await assertAnswer(around.basic('acme~header'), 200);
    await assertAnswer(around.post({ client_id: 'acme~form', client_secret: secret }), 200);
  });

  it('have several secrets at once, so that one can take the place of another', async () => {
    await around.addSecret('acme~app', 's-2', 'another-one');
    await assertAnswer(around.basic('acme~app'), 200);
    await assertAnswer(around.basic('acme~app', 'another-one'), 200);
    const data = { applicationId, credentialId: 's-1' as CredentialId, reason: 'Leaked.' };
    await around.record('acme~app', [{ type: 'ClientSecretRevoked', data }]);
    await assertAnswer(around.basic('acme~app'), 401, 'invalid_client');
    await assertAnswer(around.basic('acme~app', 'another-one'), 200);
  });

  it('name several resources', async () => {
    await around.register('acme~wide', { audiences: ['septet', 'https://files.example'] });
    await around.addSecret('acme~wide');
    const form = 'grant_type=client_credentials&resource=septet&resource=https%3A%2F%2Ffiles.example';
    const answer = around.call('/oauth/token', {
      method: 'POST',
      identity: 'anonymous',
      headers: {
        authorization: `Basic ${btoa(`acme~wide:${secret}`)}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: form,
    });
    const { access_token: token } = (await (await answer).json()) as { access_token: string };
    assert.deepEqual(decodeJwt(token).aud, ['septet', 'https://files.example']);
  });
});

describe('attacks on applications with secrets', () => {
  let around: Applications;
  beforeEach(async () => {
    around = await startApplications();
    await around.register('acme~app');
    await around.addSecret('acme~app');
  });
  afterEach(async () => {
    assert.deepEqual(await around.issued(), []);
    await around.close();
  });

  it('the secret in the form of a client that is held to Basic', async () => {
    await around.register('acme~header', { exactAuthentication: true });
    await around.addSecret('acme~header');
    await assertAnswer(around.post({ client_id: 'acme~header', client_secret: secret }), 401, 'invalid_client');
  });

  it('a secret of a client that authenticates by its key', async () => {
    await around.register('acme~key', { authentication: 'private_key_jwt', jwksUri: 'https://app.example/jwks' });
    await around.addSecret('acme~key');
    await assertAnswer(around.basic('acme~key'), 401, 'invalid_client');
    await assertAnswer(around.post({ client_id: 'acme~key', client_secret: secret }), 401, 'invalid_client');
  });

  it('an empty secret of a client that has one', async () => {
    await assertAnswer(around.basic('acme~app', ''), 401, 'invalid_client');
    await assertAnswer(around.basic('acme.p-1', ''), 401, 'invalid_client');
    await assertAnswer(around.post({ client_id: 'acme~app', client_secret: '' }), 401, 'invalid_client');
  });

  it('the registered method of a client is revealed only to callers with its secret', async () => {
    await around.register('acme~app', { exactAuthentication: true });
    await around.register('acme~form', { authentication: 'client_secret_post', exactAuthentication: true });
    await around.addSecret('acme~app');
    await around.addSecret('acme~form');
    const descriptionOf = async (answer: Promise<Response>) =>
      ((await (await answer).json()) as Record<string, string>).error_description;
    const post = (clientId: string, presented: string) =>
      descriptionOf(around.post({ client_id: clientId, client_secret: presented }));
    assert.match((await post('acme~app', secret)) ?? '', /registered for client_secret_basic/);
    assert.match((await descriptionOf(around.basic('acme~form'))) ?? '', /registered for client_secret_post/);
    const unknown = await post('acme~nobody', secret);
    const disabled = { applicationId: 'form' as ApplicationId, reason: 'Left.' };
    assert.equal(await post('acme~app', 'wrong'), unknown);
    assert.equal(await descriptionOf(around.basic('acme~form', 'wrong')), unknown);
    await around.record('acme~form', [{ type: 'ClientDisabled', data: disabled }]);
    assert.equal(await descriptionOf(around.basic('acme~form')), unknown);
  });

  it('Basic and the form at once', async () => {
    const form = { client_id: 'acme~app', client_secret: secret };
    await assertAnswer(around.basic('acme~app', secret, form), 400, 'invalid_request');
  });

  it('the secret of another tenant’s client of the same id', async () => {
    await around.register('other~app');
    await around.addSecret('other~app', 's-1', 'theirs');
    await assertAnswer(around.basic('acme~app', 'theirs'), 401, 'invalid_client');
  });

  it('a client of another tenant for this tenant’s principal', async () => {
    await around.register('other~app');
    await around.addSecret('other~app');
    await assertAnswer(around.basic('other~app'), 400, 'invalid_grant');
  });

  it('a disabled client, which looks like an unknown one', async () => {
    await around.record('acme~app', [{ type: 'ClientDisabled', data: { applicationId, reason: 'Over.' } }]);
    const known = await assertAnswer(around.basic('acme~app'), 401, 'invalid_client');
    assert.equal(known, await assertAnswer(around.basic('acme~nobody'), 401, 'invalid_client'));
  });

  it('only the name of a client that has a secret', () =>
    assertAnswer(around.post({ client_id: 'acme~app' }), 401, 'invalid_client'));

  it('client credentials of a public client', async () => {
    await around.register('acme~public', { authentication: 'none', grantTypes: ['authorization_code'] });
    await assertAnswer(around.post({ client_id: 'acme~public' }), 400, 'unauthorized_client');
  });

  it('client credentials of an application that is built in', () =>
    assertAnswer(around.post({ client_id: 'acme~cli' }), 400, 'unauthorized_client'));

  it('a grant type that the client is not registered for', async () => {
    const form = { grant_type: 'refresh_token', refresh_token: 'x' };
    await assertAnswer(around.basic('acme~app', secret, form), 400, 'unauthorized_client');
  });

  it('the name of a grant type that every object has', () =>
    assertAnswer(around.basic('acme~app', secret, { grant_type: 'constructor' }), 400, 'unsupported_grant_type'));

  it('more than the client is registered for', async () => {
    await assertAnswer(around.basic('acme~app', secret, { scope: 'security:read' }), 400, 'invalid_scope');
    await assertAnswer(around.basic('acme~app', secret, { scope: 'openid' }), 400, 'invalid_scope');
    await assertAnswer(around.basic('acme~app', secret, { resource: 'https://files.example' }), 400, 'invalid_target');
  });

  it('an application that was made to stand for a person', async () => {
    await around.recordPrincipal('acme.human', client('acme.human', 'HUMAN'));
    await around.register('acme~posing', {
      servicePrincipalId: 'human' as PrincipalId,
      scopes: [scope('principals:read')],
    });
    await around.addSecret('acme~posing');
    await assertAnswer(around.basic('acme~posing'), 400, 'invalid_grant');
  });

  it('a suspended principal behind the client', async () => {
    const principalId = 'p-1' as PrincipalId;
    await around.recordPrincipal('acme.p-1', [{ type: 'PrincipalSuspended', data: { principalId, reason: 'Lost.' } }]);
    assert.equal(await assertAnswer(around.basic('acme~app'), 400, 'invalid_grant'), 'principal_not_active');
  });

  it('names that try to be another stream', async () => {
    for (const name of ['acme~app~x', 'acme~', '~app', '$all~x', 'acme~../p-1', 'ACME~app', 'acme~app\n', 'a.b~c'])
      await assertAnswer(around.basic(name), 401, 'invalid_client');
  });

  it('the credential of a principal by an assertion, or by nothing', async () => {
    await assertAnswer(around.post({ client_id: 'acme.p-1' }), 401, 'invalid_client');
  });
});
