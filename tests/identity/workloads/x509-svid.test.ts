import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { decodeJwt } from 'jose';
import { exchangeRoute } from '../../../commands/identity/token-exchange/exchange-route';
import { createCertificateReader } from '../../../infra/gateway/authentication/client-certificate';
import type { Problem } from '../../../infra/server/http/problem';
import type { JsonAnswer } from '../../../infra/server/http/routing/route';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { startGateway } from '../../support/gateway/gateway';
import { certificatesIn } from '../../support/servers/certificates';
import { bundleKeyOf, type CertificateWish, derOf, type Issued, makeCertificate, pemOf } from './certificates';
import { below } from './examples';
import { acmeAudience, administrator, type Exchange, startExchange } from './fixture';

describe('X.509-SVIDs', () => {
  let stage: Exchange;
  let authority: Issued;
  const spiffeId = 'spiffe://prod.example.org/ns/billing/sa/importer';
  const make = (changes: Partial<CertificateWish> = {}): Promise<Issued> => {
    const now = Date.parse(stage.shared.clock.now());
    const life = { from: new Date(now - 60_000), until: new Date(now + 3_600_000) };
    return makeCertificate({
      name: 'workload',
      isAuthority: false,
      uris: [spiffeId],
      ...life,
      by: authority,
      ...changes,
    });
  };
  beforeEach(async () => {
    stage = await startExchange();
    await stage.registerPipeline();
    const now = Date.parse(stage.shared.clock.now());
    authority = await makeCertificate({
      name: 'authority',
      isAuthority: true,
      from: new Date(now - 60_000),
      until: new Date(now + 86_400_000),
    });
    const bundle = { keys: [await bundleKeyOf(authority)] };
    const issuerId = await stage.trustIssuer({ kind: 'spiffe', issuer: 'prod.example.org', keys: bundle });
    await stage.makeRule(issuerId, { conditions: [below('subject', 'spiffe://prod.example.org/ns/billing')] });
  });
  afterEach(() => stage.close());

  /** As the gateway passes the certificate of the connection on. */
  const exchange = async (leaf: Issued | undefined, chain?: readonly Issued[], aud = acmeAudience) => {
    const der = leaf === undefined ? '' : derOf(leaf);
    const thumbprint = createHash('sha256').update(Buffer.from(der, 'base64')).digest('base64url');
    const x5c = chain === undefined ? {} : { x5c: chain.map(derOf) };
    return (await exchangeRoute.handle(stage.deps, {
      params: {},
      query: {},
      body: { subjectToken: JSON.stringify({ aud, ...x5c }), audience: 'septet', requestedScopes: [] },
      headers: {},
      target: '/v1/token/exchange',
      identity: administrator(),
      requestId: 'request-1',
      signal: new AbortController().signal,
      ...(leaf === undefined ? {} : { certificate: { der, thumbprint, trusted: false } }),
    })) as JsonAnswer | Problem;
  };
  const isRefused = async (...presented: Parameters<typeof exchange>): Promise<void> => {
    const answer = await exchange(...presented);
    assert.ok('problem' in answer && answer.problem.code === 'exchange-refused', JSON.stringify(answer));
  };
  const claimsOf = (answer: JsonAnswer | Problem) => {
    assert.ok('body' in answer, JSON.stringify(answer));
    return decodeJwt(String((answer.body as Record<string, unknown>).access_token));
  };

  it('are exchanged for tokens that are bound to them', async () => {
    const leaf = await make();
    const thumbprint = createHash('sha256')
      .update(Buffer.from(derOf(leaf), 'base64'))
      .digest('base64url');
    assert.deepEqual(claimsOf(await exchange(leaf)).cnf, { 'x5t#S256': thumbprint });
  });
  it('lead to an authority by intermediates', async () => {
    const intermediate = await make({ name: 'intermediate', isAuthority: true, uris: [] });
    const leaf = await make({ by: intermediate });
    claimsOf(await exchange(leaf, [leaf, intermediate]));
    await isRefused(leaf);
    await isRefused(leaf, [leaf, authority]);
  });
  it('are taken from the TLS connection that a gateway ends', async () => {
    const directory = temporaryDirectory('svid');
    await certificatesIn(directory.path);
    const [certificate, key] = ['node.crt', 'node.key'].map((file) =>
      readFileSync(`${directory.path}/${file}`, 'utf8'),
    );
    const { port } = stage;
    const gateway = await startGateway({
      ...{ commandsPort: port, readApiPort: port, checks: { certificateOf: createCertificateReader([]) } },
      limits: { tls: { certificate: certificate ?? '', key: key ?? '', requestsClientCertificate: true } },
    });
    const body = { subjectToken: JSON.stringify({ aud: acmeAudience }), audience: 'septet', requestedScopes: [] };
    const send = async (client: object) => {
      const sent = request(`${gateway.url}/v1/token/exchange`, {
        ...{ method: 'POST', agent: false, headers: { 'content-type': 'application/json' } },
        ca: readFileSync(`${directory.path}/ca.crt`),
        ...client,
      });
      sent.end(JSON.stringify(body));
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      return JSON.parse(Buffer.concat(await answer.toArray()).toString()) as Record<string, unknown>;
    };
    try {
      const leaf = await make();
      const presented = { cert: leaf.certificate.toString('pem'), key: pemOf(leaf) };
      const { cnf } = decodeJwt(String((await send(presented)).access_token));
      const thumbprint = createHash('sha256').update(Buffer.from(leaf.certificate.rawData)).digest('base64url');
      assert.deepEqual(cnf, { 'x5t#S256': thumbprint });
      assert.equal((await send({})).code, 'exchange-refused');
    } finally {
      await gateway.close();
      directory.remove();
    }
  });
  it('are those of the connection', async () => {
    const [leaf, other] = [await make(), await make()];
    await isRefused(undefined, [leaf]);
    await isRefused(other, [leaf]);
  });
  it('come from an authority of their trust domain', async () => {
    const foreign = await make({ name: 'authority', isAuthority: true, uris: [], by: undefined as never });
    await isRefused(await make({ by: foreign }));
    // Issued by a workload, which is no authority.
    const workload = await make();
    const below = await make({ by: workload });
    await isRefused(below, [below, workload]);
    await isRefused(await make({ uris: ['spiffe://other.example.org/ns/billing/sa/importer'] }));
  });
  it('name one workload', async () => {
    for (const uris of [
      [],
      [spiffeId, 'spiffe://prod.example.org/ns/other/sa/other'],
      ['https://prod.example.org/ns/billing'],
      ['spiffe://prod.example.org'],
      ['spiffe://prod.example.org/ns/billing/../other'],
    ])
      await isRefused(await make({ uris }));
    await isRefused(await make({ isAuthority: true }));
    await isRefused(await make({ uris: ['spiffe://prod.example.org/ns/billing2/sa/importer'] }));
  });
  it('are valid now', async () => {
    const leaf = await make();
    stage.shared.wait(3_601);
    await isRefused(leaf);
  });
  it('name the tenant', async () => {
    const leaf = await make();
    await isRefused(leaf, undefined, 'https://septet.example/tenants/globex');
    await isRefused(leaf, undefined, 'septet');
  });
});
