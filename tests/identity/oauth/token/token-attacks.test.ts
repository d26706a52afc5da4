import assert from 'node:assert/strict';
import { isRight, left, right } from 'fp-ts/Either';
import type { CredentialId } from '../../../../domain/identity/ids';
import type { PrincipalId } from '../../../../domain/kernel/ids';
import { fault } from '../../../../domain/kernel/rejection';
import { openMemoryEventStore } from '../../../../infra/adapters/eventstore/memory-event-store';
import { client, secret, startIssuer } from './fixture';

const principalId = 'p-1' as PrincipalId;
const reason = 'Lost.';
const away = fault('event-store-unavailable', 'The event store is unavailable.');

const refuses = async (response: Promise<Response>, status: number, error: string): Promise<string> => {
  const answer = await response;
  const body = (await answer.json()) as { error: string; error_description: string };
  assert.deepEqual([answer.status, body.error], [status, error]);
  assert.deepEqual(Object.keys(body), ['error', 'error_description']);
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  if (status === 401) assert.match(answer.headers.get('www-authenticate') ?? '', /^Basic realm=/);
  return body.error_description;
};

describe('attacks on the token endpoint', () => {
  let service: Awaited<ReturnType<typeof startIssuer>>;
  beforeEach(async () => {
    service = await startIssuer();
    await service.record('acme.p-1', client('acme.p-1'));
  });
  afterEach(() => service.close());

  const nothingIssued = async (): Promise<void> => {
    const events = await service.deps.store.read('identity.issuance-acme.2026013112');
    assert.ok(isRight(events));
    assert.deepEqual(events.right, []);
  };

  it('a wrong secret and an unknown client look the same', async () => {
    const wrong = await refuses(
      service.requestToken('acme.p-1', { client_secret: `${secret}x` }),
      401,
      'invalid_client',
    );
    const unknown = await refuses(service.requestToken('acme.p-2'), 401, 'invalid_client');
    assert.equal(wrong, unknown);
    await nothingIssued();
  });

  it('the recorded hash is no secret', async () => {
    const events = client('acme.p-1');
    const hash = events[1]?.type === 'CredentialIssued' ? events[1].data.secretHash : '';
    await refuses(service.requestToken('acme.p-1', { client_secret: hash }), 401, 'invalid_client');
  });

  it('a revoked credential', async () => {
    const data = { principalId, credentialId: 'c-1' as CredentialId, reason };
    await service.record('acme.p-1', [{ type: 'CredentialRevoked', data }]);
    await refuses(service.requestToken('acme.p-1'), 401, 'invalid_client');
    await nothingIssued();
  });

  it('an expired credential', async () => {
    service.wait(3600);
    await refuses(service.requestToken('acme.p-1'), 401, 'invalid_client');
  });

  it('a suspended principal; only who knows the secret learns of it', async () => {
    await service.record('acme.p-1', [{ type: 'PrincipalSuspended', data: { principalId, reason } }]);
    assert.equal(await refuses(service.requestToken('acme.p-1'), 400, 'invalid_grant'), 'principal_not_active');
    await refuses(service.requestToken('acme.p-1', { client_secret: 'guess' }), 401, 'invalid_client');
    await nothingIssued();
  });

  it('the client id of the same principal in another tenant', () =>
    refuses(service.requestToken('other.p-1'), 401, 'invalid_client'));

  it('client ids that try to name another stream', async () => {
    const attempts = [
      'acme.p-1.x',
      'acme-acme.p-1',
      '$all',
      '$ce-identity',
      'acme.p-1\n',
      'acme.%2e',
      '../acme.p-1',
      'acme.',
      '.p-1',
    ];
    for (const attempt of attempts) await refuses(service.requestToken(attempt), 401, 'invalid_client');
  });

  it('more scopes than the credential has', async () => {
    await refuses(service.requestToken('acme.p-1', { scope: 'principals:read security:read' }), 400, 'invalid_scope');
    await refuses(service.requestToken('acme.p-1', { scope: 'constructor' }), 400, 'invalid_scope');
    await nothingIssued();
  });

  it('an audience that is not ours', async () => {
    for (const target of ['resource', 'audience'])
      await refuses(service.requestToken('acme.p-1', { [target]: 'https://evil.example' }), 400, 'invalid_target');
    await nothingIssued();
  });

  it('duplicate parameters', async () => {
    const form = `grant_type=client_credentials&client_id=acme.p-1&client_secret=${secret}`;
    for (const more of ['client_id=acme.p-2', 'scope=principals:read&scope=security:read', 'grant_type=password'])
      await refuses(service.post(`${form}&${more}`), 400, 'invalid_request');
    await nothingIssued();
  });

  it('huge and odd bodies', async () => {
    await refuses(service.requestToken('acme.p-1', { scope: 'x'.repeat(500_000) }), 400, 'invalid_request');
    assert.equal((await service.requestToken('acme.p-1', { scope: 'x'.repeat(2_000_000) })).status, 413);
    assert.equal((await service.post('{}', { 'content-type': 'application/json' })).status, 415);
    assert.equal((await service.post('a=%zz')).status, 400);
    await refuses(service.post(''), 400, 'invalid_request');
    await refuses(service.post('__proto__=x&grant_type=client_credentials'), 401, 'invalid_client');
  });
});

describe('the token endpoint when the world is away', () => {
  const assertRefused = async (broken: Parameters<typeof startIssuer>[0]): Promise<void> => {
    const service = await startIssuer(broken);
    assert.equal((await service.requestToken('acme.p-1').then(({ headers }) => headers)).get('retry-after'), '1');
    await refuses(service.requestToken('acme.p-1'), 503, 'temporarily_unavailable');
    await service.close();
  };

  it('answers no token when the principal cannot be read', () =>
    assertRefused({ ...openMemoryEventStore(), read: async () => left(away) }));

  it('answers no token that could not be recorded', async () => {
    const store = openMemoryEventStore();
    const filled = await startIssuer(store);
    await filled.record('acme.p-1', client('acme.p-1'));
    await filled.close();
    await assertRefused({ ...store, append: async () => left(away) });
  });

  it('answers no token when nothing can sign', async () => {
    const service = await startIssuer();
    await service.record('acme.p-1', client('acme.p-1'));
    const unable = fault('signing-unavailable', 'The keystore is away.');
    Object.assign(service.deps.kms, { sign: async () => left(unable), publicKeys: async () => right([]) });
    await refuses(service.requestToken('acme.p-1'), 503, 'temporarily_unavailable');
    await service.close();
  });
});
