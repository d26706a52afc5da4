import assert from 'node:assert/strict';
import { exportSPKI, importJWK, SignJWT } from 'jose';
import type { TenantId } from '../../../domain/kernel/ids';
import { type ClaimSet, makeSigningKey, signClaims, startWorkloadIssuer } from '../../support/identity/workload-issuer';
import { principalId, scope } from '../examples';
import { issuer } from '../grants/fixture';
import { githubClaims, githubPullRequest } from './documented-claims';
import { exactly } from './examples';
import { acmeAudience, administrator, type Exchange, pipelineId, refusedExchange, startExchange } from './fixture';

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

describe('attacks on the exchange of workloads’ credentials', () => {
  let stage: Exchange;
  beforeEach(async () => {
    stage = await startExchange();
    await stage.registerPipeline();
    await stage.makeRule(await stage.trustIssuer());
  });
  afterEach(() => stage.close());

  const now = (): number => Math.floor(Date.parse(stage.shared.clock.now()) / 1_000);
  const claims = (changes: ClaimSet = {}): ClaimSet => ({
    ...githubClaims(),
    iss: stage.workloadIssuer.url,
    aud: acmeAudience,
    iat: now(),
    exp: now() + 300,
    ...changes,
  });
  const isRefused = async (token: string, more: Parameters<Exchange['exchange']>[1] = {}): Promise<void> =>
    assert.deepEqual(await stage.refusalOf(await stage.exchange(token, more)), refusedExchange);

  it('has a credential that is accepted, and fails by what is changed alone', async () => {
    await stage.claimsOf(await stage.exchange(await signClaims(stage.workloadIssuer.newestKey(), claims())));
  });

  it('does not take a signature of another key, under whatever key id', async () => {
    const own = await makeSigningKey();
    await isRefused(await signClaims(own, claims()));
    await isRefused(await signClaims({ ...own, kid: stage.workloadIssuer.newestKey().kid }, claims()));
    await isRefused(await signClaims(own, claims(), { jwk: own.publicJwk }));
    await isRefused(
      await signClaims(own, claims(), { jku: `${stage.workloadIssuer.url}/keys`, x5u: 'https://a.example' }),
    );
  });

  it('does not take a changed claim', async () => {
    const [header, , signature] = (await stage.sign(githubClaims({ repository: 'evil/repo' }))).split('.');
    await isRefused([header, encoded(claims()), signature].join('.'));
  });

  it('does not take an unsigned credential', async () => {
    const { kid } = stage.workloadIssuer.newestKey();
    for (const alg of ['none', 'None', 'RS256', '']) await isRefused(`${encoded({ alg, kid })}.${encoded(claims())}.`);
    await isRefused(`${encoded({ alg: 'none', kid })}.${encoded(claims())}`);
  });

  it('does not take the public key for a shared secret', async () => {
    const { kid, publicJwk } = stage.workloadIssuer.newestKey();
    const publicKey = (await importJWK({ ...publicJwk, ext: true }, 'RS256')) as Parameters<typeof exportSPKI>[0];
    const secret = Buffer.from(await exportSPKI(publicKey));
    await isRefused(await new SignJWT({ ...claims() }).setProtectedHeader({ alg: 'HS256', kid }).sign(secret));
  });

  it('does not take an algorithm that is not the key’s', async () => {
    const key = stage.workloadIssuer.newestKey();
    const [, payload, signature] = (await signClaims(key, claims())).split('.');
    await isRefused([encoded({ alg: 'PS256', kid: key.kid }), payload, signature].join('.'));
    await isRefused([encoded({ alg: 'ES256', kid: key.kid }), payload, signature].join('.'));
  });

  it('needs a key id that one published key has', async () => {
    const key = stage.workloadIssuer.newestKey();
    await isRefused(await signClaims(key, claims(), { kid: undefined }));
    await isRefused(await signClaims(key, claims(), { kid: '../keys' }));
    await isRefused(await signClaims(key, claims(), { kid: 'k'.repeat(300) }));
    stage.workloadIssuer.publish([key, { ...(await makeSigningKey()), kid: key.kid, publicJwk: key.publicJwk }]);
    stage.shared.wait(301);
    await isRefused(await signClaims(key, claims()));
  });

  it('does not take tokens of other uses', async () => {
    const key = stage.workloadIssuer.newestKey();
    for (const typ of ['at+jwt', 'logout+jwt', 'dpop+jwt']) await isRefused(await signClaims(key, claims(), { typ }));
    await isRefused(await signClaims(key, claims(), { crit: ['b64'], b64: true }));
  });

  it('does not take credentials outside of their time, or without an end', async () => {
    for (const changes of [
      { exp: now() - 11 },
      { exp: undefined },
      { exp: now() + 25 * 3_600 },
      { exp: 'tomorrow' },
      { nbf: now() + 60 },
      { iat: now() + 60 },
      { sub: undefined },
      { jti: 7 },
      { jti: 'j'.repeat(257) },
    ])
      await isRefused(await signClaims(stage.workloadIssuer.newestKey(), claims(changes)));
  });

  it('does not take credentials of other issuers', async () => {
    const other = await startWorkloadIssuer('RS256', () => now() * 1_000);
    try {
      await isRefused(await other.sign({ ...githubClaims(), aud: acmeAudience }));
      // It claims to be the trusted one.
      await isRefused(await other.sign({ ...githubClaims(), aud: acmeAudience, iss: stage.workloadIssuer.url }));
      for (const iss of [`${stage.workloadIssuer.url}/`, stage.workloadIssuer.url.toUpperCase(), undefined])
        await isRefused(await stage.sign(githubClaims({ iss })));
    } finally {
      await other.close();
    }
  });

  it('does not take credentials for other audiences, or for several', async () => {
    for (const aud of [
      undefined,
      'septet',
      issuer,
      `${acmeAudience}/`,
      `${issuer}/tenants/acme2`,
      `${issuer}/tenants/acme?x`,
      'https://sts.elsewhere.example/tenants/acme',
      [acmeAudience, 'https://elsewhere.example'],
      [],
      { 0: acmeAudience },
    ])
      await isRefused(await stage.sign(githubClaims({ aud })));
  });

  it('does not let a pull request pass for the main branch', async () => {
    await isRefused(await stage.sign(githubPullRequest()));
    await isRefused(await stage.sign(githubPullRequest({ ref: 'refs/heads/main' })));
    await isRefused(await stage.sign(githubClaims({ ref: 'refs/heads/main/../main' })));
    await isRefused(await stage.sign(githubClaims({ ref: 'refs/tags/main', ref_type: 'tag' })));
    await isRefused(await stage.sign(githubClaims({ repository: 'octo-org/octo-repo-fork' })));
    await isRefused(await stage.sign(githubClaims({ repository: 'Octo-Org/octo-repo' })));
    await isRefused(await stage.sign(githubClaims({ repository: ['octo-org/octo-repo'] })));
  });

  it('does not widen scopes or audience', async () => {
    await isRefused(await stage.sign(githubClaims()), { requestedScopes: ['principals:write'] });
    await isRefused(await stage.sign(githubClaims()), { requestedScopes: ['principals:read', 'principals:write'] });
    await isRefused(await stage.sign(githubClaims()), { audience: 'https://files.example' });
  });

  it('does not use the trust of another tenant', async () => {
    const globex = 'globex' as TenantId;
    const theirs = administrator(globex);
    const aud = `${issuer}/tenants/globex`;
    // Globex trusts no issuer.
    await isRefused(await stage.sign(githubClaims({ aud })));
    await stage.registerPipeline(globex);
    await stage.makeRule(
      await stage.trustIssuer({}, theirs),
      { conditions: [exactly('repository', 'evil/repo')] },
      theirs,
    );
    await isRefused(await stage.sign(githubClaims({ aud })));
    await isRefused(await stage.sign(githubClaims({ repository: 'evil/repo' })));
    const claimed = await stage.claimsOf(
      await stage.exchange(await stage.sign(githubClaims({ aud, repository: 'evil/repo' }))),
    );
    assert.equal(claimed.tenant_id, 'globex');
  });

  it('does not use up credentials that are not exchanged', async () => {
    const token = await stage.sign(githubClaims());
    await isRefused(token, { requestedScopes: ['principals:write'] });
    await stage.claimsOf(await stage.exchange(token));
  });

  it('lets one of many that race with one credential win', async () => {
    const token = await stage.sign(githubClaims());
    const answers = await Promise.all(Array.from({ length: 20 }, () => stage.exchange(token)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  });

  it('says for each refusal the same', async () => {
    const tokens = [
      await stage.sign(githubPullRequest()),
      await stage.sign(githubClaims({ exp: now() - 60 })),
      await signClaims(await makeSigningKey(), claims()),
      'not.a.token',
      '{"aud":"https://septet.example/tenants/acme"}',
      '[[[[',
    ];
    const bodies = await Promise.all(tokens.map(async (token) => (await stage.exchange(token)).text()));
    assert.equal(new Set(bodies).size, 1, bodies.join('\n'));
  });

  it('bounds what it reads', async () => {
    assert.equal((await stage.exchange('a'.repeat(16_385))).status, 400);
    const requestedScopes = Array.from({ length: 101 }, () => 'principals:read');
    assert.equal((await stage.exchange(await stage.sign(githubClaims()), { requestedScopes })).status, 400);
    const deep = `${'['.repeat(100)}${']'.repeat(100)}`;
    const { kid } = stage.workloadIssuer.newestKey();
    await isRefused(`${encoded({ alg: 'RS256', kid })}.${Buffer.from(`{"a":${deep}}`).toString('base64url')}.AA`);
    await isRefused(
      `${encoded({ alg: 'RS256', kid })}.${Buffer.from('{"sub":"a","sub":"b"}').toString('base64url')}.AA`,
    );
  });

  it('does not let callers give more than they hold, or as others', async () => {
    const issuerId = await stage.trustIssuer({ issuer: 'https://other.example' });
    const weak = { ...administrator(), principalId: 'weak', scopes: ['credentials:write', 'principals:read'] };
    const body = {
      name: 'Mine',
      issuerId,
      conditions: [exactly('repository', 'evil/repo')],
      principalId: pipelineId,
      scopes: ['principals:read'],
      audience: 'septet',
    };
    const statusOf = async (changes: object) =>
      (await stage.send('POST', '/v1/trust-rules', { ...body, ...changes }, weak)).status;
    assert.equal(await statusOf({ scopes: ['principals:write'] }), 403);
    assert.equal(await statusOf({ principalId }), 404);
    // The pipeline is able to do no more than the caller, until a rule gives it more.
    assert.equal(await statusOf({}), 201);
    await stage.makeRule(issuerId, { name: 'Wide', scopes: [scope('security:write')] });
    assert.equal(await statusOf({ name: 'Another' }), 403);
    const keys = { name: 'CI', kind: 'github', issuer: 'https://other.example', keysUri: 'https://evil.example/keys' };
    const writer = { ...weak, scopes: ['security:write', 'principals:read'] };
    assert.equal(
      (await stage.send('PUT', `/v1/workload-issuers/${issuerId}`, keys, { ...writer, scopes: ['security:write'] }))
        .status,
      403,
    );
  });
});
