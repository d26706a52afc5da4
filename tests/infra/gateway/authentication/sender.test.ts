/** Tokens that are bound to a key or a certificate, through the gateway's own door. */
import assert from 'node:assert/strict';
import { createHash, createSecretKey, randomBytes } from 'node:crypto';
import { createCertificateReader } from '../../../../infra/gateway/authentication/client-certificate';
import { derivedNonces } from '../../../../packages/resource-server/src/dpop/nonce';
import { memoryReplayCache } from '../../../../packages/resource-server/src/dpop/replay-cache';
import { accessTokenHash } from '../../../../packages/resource-server/src/dpop/verify-proof';
import { proofClaimsAt, proofKey, proofWith, thumbprintOf } from '../../../packages/resource-server/proofs';
import {
  type Json,
  jsonOf,
  startGatewayWithServices,
  type TestedGateway,
} from '../../../support/gateway/gateway-services';

const holder = proofKey();
const der = Buffer.concat([Buffer.from([0x30]), randomBytes(200)]);
const clientCert = `:${der.toString('base64')}:`;
const thumbprint = createHash('sha256').update(der).digest('base64url');
const nonces = derivedNonces(createSecretKey(Buffer.from('secret')));

const statusOf = async (answer: Promise<Response>): Promise<number> => (await answer).status;

describe('senders at the gateway', () => {
  let gateway: TestedGateway;
  before(async () => {
    const proofs = { replay: memoryReplayCache(), nonces };
    gateway = await startGatewayWithServices({
      checks: { proofs, certificateOf: createCertificateReader(['127.0.0.1']) },
    });
  });
  after(() => gateway.close());

  const proved = (token: string, changes: object = {}, path = '/v1/things') => {
    const claims = { htm: 'GET', htu: `http://septet.test${path}`, ath: accessTokenHash(token), ...changes };
    const dpop = proofWith(holder, proofClaimsAt(Date.now(), claims));
    return gateway.call('/v1/things', { headers: { authorization: `DPoP ${token}`, dpop } });
  };
  const bound = () => gateway.token({ cnf: { jkt: thumbprintOf(holder) } });

  it('get a nonce, are accepted with it, and get the next one', async () => {
    const token = bound();
    const first = await proved(token);
    assert.equal(first.status, 401);
    assert.match(first.headers.get('www-authenticate') ?? '', /^DPoP error="use_dpop_nonce".*algs=/);
    const nonce = first.headers.get('dpop-nonce') ?? '';
    const second = await proved(token, { nonce });
    assert.equal(second.status, 200);
    assert.ok(nonces.accepts(second.headers.get('dpop-nonce') ?? '', Date.now()));
  });
  it('prove what they ask for at the public address, not at the one they came through', async () => {
    const nonce = nonces.current(Date.now());
    assert.equal(await statusOf(proved(bound(), { nonce, htu: `${gateway.url}/v1/things` })), 401);
    assert.equal(await statusOf(proved(bound(), { nonce }, '/v1/others')), 401);
  });
  it('do not have their proofs handed on', async () => {
    const { headers } = await jsonOf(await proved(bound(), { nonce: nonces.current(Date.now()) }));
    assert.equal((headers as Json).dpop, undefined);
    assert.equal((headers as Json).authorization, undefined);
  });
  it('have them handed on where they are checked', async () => {
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json', dpop: 'a.b.c' },
      body: '{"text":"x"}',
    };
    const { headers } = await jsonOf(await fetch(`${gateway.url}/v1/bootstrap`, init));
    assert.equal((headers as Json).dpop, 'a.b.c');
  });
  it('are refused two proofs', async () => {
    const token = bound();
    const headers = new Headers({ authorization: `DPoP ${token}`, dpop: 'a.b.c' });
    headers.append('dpop', 'a.b.c');
    assert.equal(await statusOf(fetch(`${gateway.url}/v1/things`, { headers })), 401);
  });
  it('have the certificate that a trusted proxy saw', async () => {
    const authorization = `Bearer ${gateway.token({ cnf: { 'x5t#S256': thumbprint } })}`;
    const headers = { authorization, 'client-cert': clientCert };
    const answer = await gateway.call('/v1/things', { headers });
    assert.equal(answer.status, 200);
    assert.equal(((await jsonOf(answer)).headers as Json)['client-cert'], undefined);
    assert.equal(await statusOf(gateway.call('/v1/things', { headers: { authorization } })), 401);
  });
});

describe('certificates in headers', () => {
  let gateway: TestedGateway;
  before(async () => {
    gateway = await startGatewayWithServices({ checks: { certificateOf: createCertificateReader(['10.0.0.0/8']) } });
  });
  after(() => gateway.close());

  it('say nothing when anybody could have written them', async () => {
    const authorization = `Bearer ${gateway.token({ cnf: { 'x5t#S256': thumbprint } })}`;
    for (const name of ['client-cert', 'x-forwarded-client-cert', 'x-client-cert', 'x-ssl-client-cert'])
      assert.equal(await statusOf(gateway.call('/v1/things', { headers: { authorization, [name]: clientCert } })), 401);
  });
  it('go no further, under whatever name', async () => {
    const claims = {
      'Client-Cert': clientCert,
      'Client-Cert-Chain': clientCert,
      'X-SSL-Client-Cert': 'x',
      'X-Client-Cert': 'x',
    };
    const { headers } = await jsonOf(await gateway.call('/v1/things', { headers: claims }));
    for (const name of Object.keys(claims)) assert.equal((headers as Json)[name.toLowerCase()], undefined, name);
  });
});
