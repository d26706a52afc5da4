import assert from 'node:assert/strict';
import { decodeJwt } from 'jose';
import { parseClientKey } from '../../../../commands/identity/clients/client-jwks';
import type { ClientMetadata } from '../../../../domain/identity/client/events';
import { clientCertificateOf } from '../../../../packages/resource-server/src/verification/client-certificate';
import { type SelfSigned, selfSigned } from '../../../support/servers/self-signed';
import { type Applications, assertAnswer, keyPair, startApplications } from './fixture';

const year = { from: new Date('2026-01-01T00:00:00Z'), until: new Date('2027-01-01T00:00:00Z') };
const pair = keyPair();

const derOf = async (subject: SelfSigned['subject'], period = year, { privateKey } = pair): Promise<Buffer> =>
  Buffer.from((await selfSigned({ privateKey, subject, ...period })).rawData);

const subject: SelfSigned['subject'] = [
  ['C', 'CH'],
  ['O', 'Foo, Bar + Söhne'],
  ['CN', 'svc'],
];
const certificate = derOf(subject);
const written = 'CN=svc,O=Foo\\, Bar \\+ S\\C3\\B6hne,C=CH';
const bySubject: Partial<ClientMetadata> = { authentication: 'tls_client_auth', tlsSubject: written };
const x5c = (der: Buffer) => parseClientKey({ ...pair.jwk, x5c: [der.toString('base64')] });
const byItself = async (der = certificate): Promise<Partial<ClientMetadata>> => ({
  authentication: 'self_signed_tls_client_auth',
  jwks: { keys: [x5c(await der) ?? assert.fail('no key')] },
});
const app = { client_id: 'acme~app' };

describe('applications that come with a certificate', () => {
  let around: Applications;
  beforeEach(async () => {
    around = await startApplications();
  });
  afterEach(() => around.close());

  for (const [what, metadataOf, trusted] of [
    ['its subject, where an authority vouches for it', async () => bySubject, true],
    ['itself, where nobody does', byItself, false],
  ] as const)
    it(`are known by ${what}, and their tokens are bound to it`, async () => {
      await around.register('acme~app', await metadataOf());
      const presented = clientCertificateOf(await certificate, trusted);
      const answer = await around.over(presented, app);
      assert.equal(answer.status, 200);
      const { access_token: token, token_type: type } = (await answer.json()) as Record<string, string>;
      assert.equal(type, 'Bearer');
      assert.deepEqual(decodeJwt(String(token)).cnf, { 'x5t#S256': presented?.thumbprint });
      assert.equal((await around.issued())[0]?.x5t, presented?.thumbprint);
    });

  for (const same of ['cn=svc, O="', 'CN=svc,O=Foo\\2C Bar \\2B Söhne,C=CH'])
    it(`are known by ${same} ${same.includes('"') ? 'not' : 'too'}`, async () => {
      await around.register('acme~app', { ...bySubject, tlsSubject: same });
      const answer = await around.over(clientCertificateOf(await certificate, true), app);
      assert.equal(answer.status, same.includes('"') ? 401 : 200);
    });
});

describe('attacks on applications that come with a certificate', () => {
  let around: Applications;
  beforeEach(async () => {
    around = await startApplications();
    await around.register('acme~app', bySubject);
    await around.register('acme~own', await byItself());
  });
  afterEach(async () => {
    assert.deepEqual(await around.issued(), []);
    await around.close();
  });
  const refused = async (making: Promise<Buffer> | undefined, trusted: boolean, clientId = 'acme~app') => {
    const der = await making;
    const presented = der === undefined ? undefined : clientCertificateOf(der, trusted);
    return assertAnswer(around.over(presented, { client_id: clientId }), 401, 'invalid_client');
  };

  it('no certificate', async () => {
    await refused(undefined, true);
    await refused(undefined, true, 'acme~own');
  });
  it('an untrusted certificate', () => refused(certificate, false));
  it('another subject', () => refused(derOf([['CN', 'svc']]), true));
  it('the same words in another order', () => refused(derOf([...subject].reverse()), true));
  it('a subject that holds the other one as a text', () => refused(derOf([['CN', written]]), true));
  it('a name with lines in it', () =>
    refused(
      derOf([
        ['C', 'CH'],
        ['O', 'x'],
        ['CN', 'svc\nO=Foo'],
      ]),
      true,
    ));
  it('another certificate of the same key', () => refused(derOf([['CN', 'x']]), true, 'acme~own'));
  it('another certificate of the same name', () => refused(derOf(subject, year, keyPair()), true, 'acme~own'));
  it('one of its own that is over', async () => {
    const old = derOf(subject, { from: new Date('2025-01-01T00:00:00Z'), until: new Date('2026-01-01T00:00:00Z') });
    await around.register('acme~old', await byItself(old));
    await refused(old, false, 'acme~old');
  });
  it('a certificate in a header of the client’s own', async () => {
    const header = `:${(await certificate).toString('base64')}:`;
    await assertAnswer(around.post(app, { 'client-cert': header }), 401, 'invalid_client');
  });
});
