import assert from 'node:assert/strict';
import { createHmac, generateKeyPairSync } from 'node:crypto';
import { left } from 'fp-ts/Either';
import { SignJWT, UnsecuredJWT } from 'jose';
import type { ClientMetadata } from '../../../../domain/identity/client/events';
import { issuer } from '../token/fixture';
import {
  type Applications,
  assertAnswer,
  assertionOf,
  endpoint,
  inSeconds,
  keyPair,
  startApplications,
} from './fixture';

const { privateKey, jwk } = keyPair();
const other = keyPair();
const byKey: Partial<ClientMetadata> = { authentication: 'private_key_jwt', jwks: { keys: [jwk] } };

describe('attacks on applications that sign who they are', () => {
  let around: Applications;
  beforeEach(async () => {
    around = await startApplications();
    await around.register('acme~app', byKey);
  });
  afterEach(() => around.close());

  const refused = async (assertion: string | Promise<string>, form = {}): Promise<void> => {
    const before = (await around.issued()).length;
    await assertAnswer(around.assertion(await assertion, form), 401, 'invalid_client');
    assert.equal((await around.issued()).length, before);
  };

  it('an assertion shown twice', async () => {
    const assertion = await assertionOf(privateKey);
    await assertAnswer(around.assertion(assertion), 200);
    await refused(assertion);
  });

  it('an assertion shown twice at once', async () => {
    const assertion = await assertionOf(privateKey);
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async () => (await around.assertion(assertion)).status),
    );
    assert.equal(statuses.filter((status) => status === 200).length, 1);
  });

  it('the same number by another client is another assertion', async () => {
    await around.register('acme~twin', byKey);
    const claims = { jti: 'one' };
    await assertAnswer(around.assertion(await assertionOf(privateKey, { claims })), 200);
    const twin = { ...claims, iss: 'acme~twin', sub: 'acme~twin' };
    await assertAnswer(around.assertion(await assertionOf(privateKey, { claims: twin })), 200);
  });

  const claims: readonly (readonly [string, Record<string, unknown>])[] = [
    ['for another audience', { aud: 'https://other.example' }],
    ['for several audiences', { aud: [issuer, 'https://other.example'] }],
    ['for nobody', { aud: undefined }],
    ['by another issuer', { iss: 'acme~other' }],
    ['for another subject', { sub: 'acme~other' }],
    ['for the same client of another tenant', { iss: 'other~app', sub: 'other~app' }],
    ['of no number', { jti: undefined }],
    ['of an empty number', { jti: '' }],
    ['of a huge number', { jti: 'x'.repeat(257) }],
    ['without an end', { exp: undefined }],
    ['that lives for an hour', { exp: inSeconds(3600) }],
    ['that is over', { exp: inSeconds(-11) }],
    ['that is not yet', { nbf: inSeconds(11) }],
    ['of the future', { iat: inSeconds(11) }],
    ['whose end is a text', { exp: String(inSeconds(60)) }],
  ];
  for (const [what, fields] of claims)
    it(`an assertion ${what}`, () => refused(assertionOf(privateKey, { claims: fields })));

  it('an assertion of a FAPI client for anything but the issuer, as one text', async () => {
    await around.register('acme~fapi', { ...byKey, fapi: true, dpopBound: false });
    const assertionFor = (aud: unknown) =>
      assertionOf(privateKey, { claims: { iss: 'acme~fapi', sub: 'acme~fapi', aud: aud as string } });
    await assertAnswer(around.assertion(await assertionFor(issuer)), 200);
    for (const aud of [endpoint, `${issuer}/oauth/par`, [issuer], [endpoint], `${issuer}/`])
      await refused(assertionFor(aud));
    // Another client may name the endpoint, as RFC 7523 lets it.
    await assertAnswer(around.assertion(await assertionOf(privateKey, { claims: { aud: endpoint } })), 200);
  });

  it('an assertion of a FAPI client by RS256, which the profile forbids', async () => {
    const { privateKey: rsaKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const { n = '', e = '' } = publicKey.export({ format: 'jwk' });
    const jwks = { keys: [{ kty: 'RSA' as const, n, e, kid: 'key-1' }] };
    await around.register('acme~fapi', { ...byKey, jwks, fapi: true });
    const assertionBy = (alg: string) =>
      assertionOf(rsaKey, { claims: { iss: 'acme~fapi', sub: 'acme~fapi' }, header: { alg } });
    await refused(assertionBy('RS256'));
    await assertAnswer(around.assertion(await assertionBy('PS256')), 200);
  });

  it('an assertion by another key', () => refused(assertionOf(other.privateKey)));

  it('an assertion that is not signed', () => {
    const claims = { iss: 'acme~app', sub: 'acme~app', aud: issuer, jti: 'x', exp: inSeconds(60) };
    return refused(new UnsecuredJWT(claims).encode());
  });

  it('the public key as a shared secret', async () => {
    const [, payload] = (await assertionOf(privateKey)).split('.');
    const header = Buffer.from(JSON.stringify({ alg: 'HS256', kid: 'key-1' })).toString('base64url');
    const mac = createHmac('sha256', JSON.stringify(jwk)).update(`${header}.${payload}`).digest('base64url');
    await refused(`${header}.${payload}.${mac}`);
  });

  it('a key that the assertion brings along', async () => {
    const { jwk: brought } = other;
    await refused(assertionOf(other.privateKey, { header: { jwk: brought } }));
    await refused(assertionOf(other.privateKey, { header: { jku: 'https://evil.example/jwks' } }));
  });

  it('a header that must be understood, and is not', async () => {
    const claims = { iss: 'acme~app', sub: 'acme~app', aud: issuer, jti: 'x', exp: inSeconds(60) };
    const header = { alg: 'ES256', kid: 'key-1', crit: ['septet'], septet: true };
    await refused(new SignJWT(claims).setProtectedHeader(header).sign(privateKey, { crit: { septet: true } }));
  });

  for (const typ of ['at+jwt', 'dpop+jwt', 'logout+jwt'])
    it(`a ${typ} in place of an assertion`, () => refused(assertionOf(privateKey, { header: { typ } })));

  it('an assertion of a client that has a secret instead', async () => {
    await around.register('acme~secret');
    await refused(assertionOf(privateKey, { claims: { iss: 'acme~secret', sub: 'acme~secret' } }));
  });

  it('a changed assertion', async () => {
    const assertion = await assertionOf(privateKey);
    await refused(`${assertion.slice(0, -2)}${assertion.endsWith('A') ? 'B' : 'A'}A`);
  });

  it('an assertion while the replay cache is unavailable', async () => {
    const away = async () => left('away');
    Object.assign(around.deps.assertions, { first: away });
    await assertAnswer(around.assertion(await assertionOf(privateKey)), 503, 'temporarily_unavailable');
    assert.deepEqual(await around.issued(), []);
  });
});
