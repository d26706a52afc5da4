import { generateKeyPairSync } from 'node:crypto';
import type { ClientMetadata } from '../../../../domain/identity/client/events';
import { issuer } from '../token/fixture';
import { type Applications, assertAnswer, assertionOf, endpoint, keyPair, startApplications } from './fixture';

const { privateKey, jwk } = keyPair();
const other = keyPair();
const byKey: Partial<ClientMetadata> = { authentication: 'private_key_jwt', jwks: { keys: [jwk] } };

describe('applications that sign who they are', () => {
  let around: Applications;
  beforeEach(async () => {
    around = await startApplications();
    await around.register('acme~app', byKey);
  });
  afterEach(() => around.close());

  for (const [what, aud] of [
    ['the issuer', issuer],
    ['the token endpoint', endpoint],
    ['a list of one', [issuer]],
  ] as const)
    it(`may mean ${what} by their audience`, async () =>
      assertAnswer(around.assertion(await assertionOf(privateKey, { claims: { aud: aud as string } })), 200));

  it('may leave the key unnamed among several', async () => {
    await around.register('acme~two', {
      ...byKey,
      jwks: {
        keys: [
          { ...other.jwk, kid: 'a' },
          { ...jwk, kid: 'b' },
        ],
      },
    });
    const named = { iss: 'acme~two', sub: 'acme~two' };
    await assertAnswer(
      around.assertion(await assertionOf(privateKey, { claims: named, header: { kid: undefined } })),
      200,
    );
  });

  for (const [alg, pair] of [
    ['EdDSA', generateKeyPairSync('ed25519')],
    ['PS256', generateKeyPairSync('rsa', { modulusLength: 2048 })],
    ['RS256', generateKeyPairSync('rsa', { modulusLength: 2048 })],
  ] as const)
    it(`may sign with ${alg}`, async () => {
      const key = { ...pair.publicKey.export({ format: 'jwk' }), kid: 'key-1' };
      await around.register('acme~alg', { ...byKey, jwks: { keys: [key as typeof jwk] } });
      const named = { iss: 'acme~alg', sub: 'acme~alg' };
      await assertAnswer(around.assertion(await assertionOf(pair.privateKey, { claims: named, header: { alg } })), 200);
    });
});
