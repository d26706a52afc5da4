import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type AgentOptions, openAgent, openDpop } from '../../../../packages/client/src/index';
import { memoryReplayCache } from '../../../../packages/resource-server/src/dpop/replay-cache';
import { type DpopRequest, verifyProof } from '../../../../packages/resource-server/src/dpop/verify-proof';
import { isLeft } from '../../../../packages/resource-server/src/verification/either';
import { json, problem } from '../fixture';

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
}

const issued = (token: string) => () =>
  json(200, { access_token: token, token_type: 'DPoP', expires_in: 600, scope: '' });

/** An agent whose requests are answered in turn. */
const openStage = (answers: readonly (() => Response)[], options: Partial<AgentOptions> = {}) => {
  const sent: Sent[] = [];
  const left = [...answers];
  const agent = openAgent({
    baseUrl: 'http://septet.test',
    clientId: 'acme.agent',
    clientSecret: 'secret',
    delegation: { delegationId: 'd-1', taskId: 'ticket-1' },
    audience: 'http://tickets.test/mcp',
    fetch: async (url, { method, headers }) => {
      sent.push({ method: String(method), url, headers: new Headers(headers) });
      return left.shift()?.() ?? assert.fail('no answer is left');
    },
    ...options,
  });
  return { agent, sent };
};

const proofOf = ({ headers }: Sent): string => headers.get('dpop') ?? '';
const claimsOf = (proof: string): Readonly<Record<string, unknown>> =>
  JSON.parse(Buffer.from(proof.split('.')[1] ?? '', 'base64url').toString());

const checkProof = async (
  presented: Pick<DpopRequest, 'proof' | 'method' | 'url' | 'accessToken'>,
): Promise<string> => {
  const verified = await verifyProof({ replay: memoryReplayCache() }, { ...presented, now: Date.now() });
  if (isLeft(verified)) return assert.fail(verified.left.reason);
  return verified.right.jkt;
};

const generate = (algorithm: string | EcKeyGenParams) =>
  crypto.subtle.generateKey(algorithm, false, ['sign', 'verify']) as Promise<Parameters<typeof openDpop>[0] & object>;
interface EcKeyGenParams {
  readonly name: 'ECDSA';
  readonly namedCurve: string;
}

describe('client: tokens bound to a key', () => {
  it('prove the key at the token endpoint and with every request, by a proof of its own each', async () => {
    const { agent, sent } = openStage([issued('t1'), () => json(200, {}), () => json(200, {})]);
    await agent.fetch('http://tickets.test/mcp?page=1#top', { method: 'POST', body: '{}' });
    await agent.fetch(new URL('http://tickets.test/mcp'));
    assert.deepEqual(
      sent.map(({ method, url, headers }) => [method, url, headers.get('authorization')]),
      [
        ['POST', 'http://septet.test/oauth/token', null],
        ['POST', 'http://tickets.test/mcp?page=1#top', 'DPoP t1'],
        ['GET', 'http://tickets.test/mcp', 'DPoP t1'],
      ],
    );
    const keys = await Promise.all(
      sent.map((one, index) =>
        checkProof({ proof: proofOf(one), ...one, ...(index === 0 ? {} : { accessToken: 't1' }) }),
      ),
    );
    assert.equal(new Set(keys).size, 1);
    assert.equal(new Set(sent.map((one) => claimsOf(proofOf(one)).jti)).size, 3);
    assert.equal('ath' in claimsOf(proofOf(sent[0] as Sent)), false);
  });

  it('prove it again with the nonce that a server wants, once', async () => {
    const wanted = (status: number, nonce: string) => () =>
      json(status, { error: 'use_dpop_nonce' }, { 'dpop-nonce': nonce });
    const refused = () => problem(401, 'unauthenticated', { 'dpop-nonce': 'n2' });
    const { agent, sent } = openStage([wanted(400, 'n1'), issued('t1'), wanted(401, 'n2'), () => json(200, {})]);
    assert.equal((await agent.fetch('http://tickets.test/mcp')).status, 200);
    assert.deepEqual(
      sent.map((one) => claimsOf(proofOf(one)).nonce),
      [undefined, 'n1', undefined, 'n2'],
    );
    // Another refusal is about the token.
    const again = openStage([issued('t1'), wanted(401, 'n2'), refused, issued('t2'), refused]);
    assert.equal((await again.agent.fetch('http://tickets.test/mcp')).status, 401);
    assert.deepEqual(
      again.sent.map(({ headers }) => headers.get('authorization')),
      [null, 'DPoP t1', 'DPoP t1', null, 'DPoP t2'],
    );
  });

  it('are never sent to another server', async () => {
    const { agent, sent } = openStage([]);
    await assert.rejects(agent.fetch('http://elsewhere.test/mcp'), TypeError);
    await assert.rejects(agent.fetch('http://septet.test/v1/principals'), TypeError);
    assert.deepEqual(sent, []);
  });

  it('are of the key that the caller brings, of either algorithm', async () => {
    for (const algorithm of [{ name: 'ECDSA', namedCurve: 'P-256' } as const, 'Ed25519']) {
      const dpop = openDpop(await generate(algorithm));
      const { agent, sent } = openStage([issued('t1'), () => json(200, {})], { dpop });
      await agent.fetch('http://tickets.test/mcp');
      const [first, own] = [
        await checkProof({ proof: proofOf(sent[0] as Sent), ...(sent[0] as Sent) }),
        await checkProof({
          proof: await dpop.prove({ method: 'GET', url: 'http://x.test/', nonce: undefined }),
          method: 'GET',
          url: 'http://x.test/',
        }),
      ];
      assert.equal(first, own);
    }
    const other = openDpop(await generate({ name: 'ECDSA', namedCurve: 'P-384' }));
    await assert.rejects(other.prove({ method: 'GET', url: 'http://x.test/', nonce: undefined }), TypeError);
  });

  it('can be left out', async () => {
    const { agent, sent } = openStage([issued('t1'), () => json(200, {})], { dpop: 'none' });
    await agent.fetch('http://tickets.test/mcp');
    assert.equal(sent[1]?.headers.get('authorization'), 'Bearer t1');
    assert.deepEqual(
      sent.map(({ headers }) => headers.has('dpop')),
      [false, false],
    );
  });

  it('have proofs that the resource server accepts for that request and token only, whatever they are', async () => {
    const dpop = openDpop();
    const method = fc.constantFrom('GET', 'POST', 'PUT', 'DELETE');
    const token = fc.stringMatching(/^[\w.~-]{1,64}$/);
    await fc.assert(
      fc.asyncProperty(method, fc.webUrl({ withQueryParameters: true, withFragments: true }), token, async (...one) => {
        const [verb, address, accessToken] = one;
        const { href: url } = new URL(address);
        const proof = await dpop.prove({ method: verb, url, token: accessToken, nonce: undefined });
        const presented = { proof, method: verb, url, accessToken, now: Date.now() };
        const rules = { replay: memoryReplayCache() };
        for (const changed of [
          { method: 'PATCH' },
          { url: 'https://other.test/x' },
          { accessToken: `${accessToken}x` },
        ])
          assert.ok(isLeft(await verifyProof(rules, { ...presented, ...changed })));
        assert.equal(isLeft(await verifyProof(rules, presented)), false);
        assert.ok(isLeft(await verifyProof(rules, presented)), 'a proof is for one request');
      }),
      { numRuns: 50 },
    );
  });
});
