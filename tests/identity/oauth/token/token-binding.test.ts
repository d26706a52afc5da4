import assert from 'node:assert/strict';
import { createSecretKey } from 'node:crypto';
import { left } from 'fp-ts/Either';
import { decodeJwt } from 'jose';
import { derivedNonces } from '../../../../packages/resource-server/src/dpop/nonce';
import { proofClaimsAt, proofKey, proofWith, thumbprintOf } from '../../../packages/resource-server/proofs';
import { noon } from '../../examples';
import { type Applications, assertAnswer, endpoint, startApplications } from '../client-authentication/fixture';
import { issuer, secret } from './fixture';

const key = proofKey();
const now = Date.parse(noon);
const proof = (changes: object = {}): string => proofWith(key, proofClaimsAt(now, { htu: endpoint, ...changes }));
const nonces = derivedNonces(createSecretKey(Buffer.from('n'.repeat(32))));

describe('tokens that are bound to a key', () => {
  let around: Applications;
  beforeEach(async () => {
    around = await startApplications();
  });
  afterEach(() => around.close());
  const credential = { client_id: 'acme.p-1', client_secret: secret };
  const requestToken = (dpop: string | undefined, form: Record<string, string> = credential): Promise<Response> =>
    around.post(form, dpop === undefined ? {} : { dpop });

  it('are what a proof asks for, also by a principal’s own credential', async () => {
    const answer = (await (await requestToken(proof())).json()) as Record<string, string>;
    assert.equal(answer.token_type, 'DPoP');
    assert.deepEqual(decodeJwt(String(answer.access_token)).cnf, { jkt: thumbprintOf(key) });
    const [event] = await around.issued();
    assert.deepEqual([event?.jkt, event?.x5t], [thumbprintOf(key), null]);
  });

  it('are not what is given without one', async () => {
    const answer = (await (await requestToken(undefined)).json()) as Record<string, string>;
    assert.equal(answer.token_type, 'Bearer');
    assert.equal(decodeJwt(String(answer.access_token)).cnf, undefined);
  });

  it('are all that some clients can have', async () => {
    await around.register('acme~app', { dpopBound: true });
    await around.addSecret('acme~app');
    await assertAnswer(around.basic('acme~app'), 400, 'invalid_dpop_proof');
    assert.deepEqual(await around.issued(), []);
  });

  it('need the certificate, where a client is registered for that', async () => {
    await around.register('acme~app', { certificateBound: true });
    await around.addSecret('acme~app');
    await assertAnswer(around.basic('acme~app'), 400, 'invalid_request');
    assert.deepEqual(await around.issued(), []);
  });

  it('are not bound to a key instead, where a client is registered for its certificate', async () => {
    await around.register('acme~app', { certificateBound: true });
    await around.addSecret('acme~app');
    const authorization = `Basic ${btoa(`${encodeURIComponent('acme~app')}:${secret}`)}`;
    await assertAnswer(around.post({}, { authorization, dpop: proof() }), 400, 'invalid_request');
    assert.deepEqual(await around.issued(), []);
  });

  it('need a nonce where nonces are asked for, which the refusal gives', async () => {
    Object.assign(around.deps.proofs, { nonces });
    const refused = await requestToken(proof());
    const nonce = refused.headers.get('dpop-nonce');
    assert.deepEqual([refused.status, ((await refused.json()) as { error: string }).error], [400, 'use_dpop_nonce']);
    await assertAnswer(requestToken(proof({ nonce })), 200);
    await assertAnswer(requestToken(proof({ nonce: 'of-another-server' })), 400, 'use_dpop_nonce');
  });

  it('give the next nonce with the answer', async () => {
    Object.assign(around.deps.proofs, { nonces });
    const answer = await requestToken(proof({ nonce: nonces.current(now) }));
    assert.deepEqual([answer.status, answer.headers.get('dpop-nonce')], [200, nonces.current(now)]);
  });

  const refusals: readonly (readonly [string, string])[] = [
    ['for another method', proof({ htm: 'GET' })],
    ['for another address', proof({ htu: `${issuer}/oauth/introspect` })],
    ['for another server', proof({ htu: 'https://evil.example/oauth/token' })],
    ['that is old', proof({ iat: now / 1000 - 61 })],
    ['of the future', proof({ iat: now / 1000 + 61 })],
    ['that is none', 'x.y.z'],
    ['of two, joined', `${proof()}, ${proof()}`],
    ['with a private key', proofWith(key, proofClaimsAt(now, { htu: endpoint }), { jwk: { ...key.jwk, d: 'AA' } })],
    ['of another kind', proofWith(key, proofClaimsAt(now, { htu: endpoint }), { typ: 'at+jwt' })],
  ];
  for (const [what, shown] of refusals)
    it(`are not given for a proof ${what}`, async () => {
      await assertAnswer(requestToken(shown), 400, 'invalid_dpop_proof');
      assert.deepEqual(await around.issued(), []);
    });

  it('are not given twice for one proof', async () => {
    const presented = proof();
    await assertAnswer(requestToken(presented), 200);
    await assertAnswer(requestToken(presented), 400, 'invalid_dpop_proof');
  });

  it('are not issued while the replay cache is unavailable', async () => {
    Object.assign(around.deps.proofs, { replay: { first: async () => left('away') } });
    await assertAnswer(requestToken(proof()), 503, 'temporarily_unavailable');
    assert.deepEqual(await around.issued(), []);
  });

  it('do not use a proof up for who is not known', async () => {
    const presented = proof();
    await assertAnswer(requestToken(presented, { ...credential, client_secret: 'guess' }), 401, 'invalid_client');
    await assertAnswer(requestToken(presented), 200);
  });
});
