/** What the package does by itself: fetches keys, follows revocations, refuses options that could not be safe. */
import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import {
  createVerifier,
  isLeft,
  protectHandler,
  requireAccess,
  right,
  sharedReplayCache,
  type VerifierOptions,
} from '../../../packages/resource-server/src/index';
import { readSecurityState } from '../../../packages/resource-server/src/revocation/security-state-events';
import { claimsAt, signingKey, tokenWith } from '../../support/gateway/tokens';
import { issuerKey } from './checks';

const issuer = 'https://septet.test';
const change = { tenantId: 'acme', minimum: 0, at: Date.now(), until: Date.now() + 600_000, sequence: '7' };

/** An issuer behind a `fetch` of its own. */
const startIssuer = () => {
  const requests: string[] = [];
  const logged: string[] = [];
  const bodies: ReadableStreamDefaultController<Uint8Array>[] = [];
  const using = (async (url: string, init: RequestInit) => {
    requests.push(`${url} ${new Headers(init.headers).get('authorization') ?? ''}`.trim());
    assert.equal(init.redirect, 'error');
    if (url.endsWith('/oauth/jwks')) return Response.json({ keys: [issuerKey.jwk] });
    const body = new ReadableStream<Uint8Array>({ start: (controller) => void bodies.push(controller) });
    init.signal?.addEventListener('abort', () => bodies.at(-1)?.error(new Error('aborted')));
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  }) as typeof fetch;
  const sendEvent = (event: string, data: unknown): void =>
    bodies
      .at(-1)
      ?.enqueue(Buffer.from(`event: ${event}\ndata: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`));
  const options: VerifierOptions = {
    issuer,
    audience: 'septet',
    origin: 'https://things.test',
    revocations: { token: async () => 'feed' },
    fetch: using,
    log: (message) => void logged.push(message),
  };
  return { requests, logged, sendEvent, options, followed: () => bodies.length };
};

const requestOf = (changes: object = {}) => {
  const token = tokenWith(issuerKey, claimsAt(Date.now(), { iss: issuer, ...changes }));
  return { method: 'GET', url: '/things', headers: { authorization: `Bearer ${token}` } } as unknown as IncomingMessage;
};

const until = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await holds())) await setImmediate();
};

describe('a verifier of its own', () => {
  const opened = (changes: Partial<VerifierOptions> = {}) => {
    const world = startIssuer();
    const verifier = createVerifier({ ...world.options, ...changes });
    const codeOf = async (request: IncomingMessage): Promise<string> => {
      const found = await verifier.authorize(request);
      return isLeft(found) ? found.left.code : 'let in';
    };
    return { ...world, verifier, codeOf };
  };

  it('refuses all tokens until the initial state is complete, and revoked ones afterwards', async () => {
    const { verifier, codeOf, sendEvent, followed, requests } = opened();
    assert.equal(await codeOf(requestOf()), 'revocation-state-stale');
    assert.equal(verifier.stalenessMilliseconds(), Number.POSITIVE_INFINITY);
    await until(() => followed() === 1);
    sendEvent('security_state_changed', { ...change, kind: 'session', subject: 's-1' });
    assert.equal(await codeOf(requestOf()), 'revocation-state-stale');
    sendEvent('heartbeat', { sequence: '7' });
    await verifier.ready();
    assert.ok(verifier.stalenessMilliseconds() < 10_000);
    assert.equal(await codeOf(requestOf()), 'let in');
    assert.equal(await codeOf(requestOf({ sid: 's-1' })), 'revoked');
    sendEvent('security_state_changed', { ...change, kind: 'epoch', subject: 'p-1', minimum: 2 });
    await until(async () => (await codeOf(requestOf())) === 'token_revoked');
    assert.ok(requests.includes(`${issuer}/v1/security/state/stream Bearer feed`));
    verifier.close();
  });

  it('accepts only tokens of tenants that its feed covers', async () => {
    const { verifier, codeOf, sendEvent, followed } = opened();
    await until(() => followed() === 1);
    sendEvent('heartbeat', { sequence: '7', tenantId: 'acme' });
    await verifier.ready();
    assert.equal(await codeOf(requestOf()), 'let in');
    assert.equal(await codeOf(requestOf({ tenant_id: 'other' })), 'unauthenticated');
    sendEvent('heartbeat', { sequence: '7', tenantId: null });
    await until(async () => (await codeOf(requestOf({ tenant_id: 'other' }))) === 'let in');
    verifier.close();
  });

  for (const [what, data] of [
    ['of an unknown kind', { ...change, kind: 'planet', subject: 'x' }],
    ['without a subject', { ...change, kind: 'jti' }],
    ['at no position', { ...change, kind: 'jti', subject: 'x', sequence: 7 }],
    ['that is no JSON', '{'],
    ['that is a list', []],
  ] as const)
    it(`does not go on past a change ${what}`, async () => {
      const { verifier, codeOf, sendEvent, followed, logged } = opened();
      await until(() => followed() === 1);
      sendEvent('security_state_changed', data);
      sendEvent('heartbeat', { sequence: '7' });
      await until(() => logged.length > 0);
      assert.deepEqual(logged, ['revocations cannot be followed']);
      assert.equal(await codeOf(requestOf()), 'revocation-state-stale');
      verifier.close();
    });

  it('fetches keys again at once when one is revoked', async () => {
    const { verifier, codeOf, sendEvent, followed, requests } = opened();
    const fetched = () => requests.filter((one) => one.endsWith('/oauth/jwks')).length;
    await until(() => followed() === 1);
    sendEvent('heartbeat', { sequence: '7' });
    await verifier.ready();
    const next = tokenWith(signingKey('key-2'), claimsAt(Date.now(), { iss: issuer }));
    const request = { ...requestOf(), headers: { authorization: `Bearer ${next}` } } as IncomingMessage;
    assert.equal(await codeOf(request), 'unauthenticated');
    assert.equal(fetched(), 1);
    sendEvent('security_state_changed', { ...change, kind: 'key', tenantId: '', subject: issuerKey.jwk.kid });
    await until(async () => (await codeOf(request)) === 'unauthenticated' && fetched() === 2);
    verifier.close();
  });

  it('waits for fresh word of revocations where much harm could be done', async () => {
    const revocations = { refusal: () => undefined, stalenessMilliseconds: () => 5_001 };
    const { verifier, codeOf } = opened({ revocations });
    assert.equal(await codeOf(requestOf()), 'let in');
    const refused = await verifier.authorize(requestOf(), [], true);
    assert.equal(isLeft(refused) && refused.left.code, 'revocation-state-stale');
    const answered = new Promise<number>((resolve) => {
      const response = { req: requestOf(), writeHead: resolve, end: () => undefined } as unknown as ServerResponse;
      requireAccess(verifier, { sensitive: true })(response.req, response, () => resolve(200));
    });
    assert.equal(await answered, 503);
    verifier.close();
  });

  it('says what a handler threw, and answers in its place', async () => {
    const { verifier } = opened({ revocations: 'none' });
    const failures: unknown[] = [];
    const failed = (error: unknown) => void failures.push(error);
    const broken = new Error('broken');
    const status = await new Promise<number>((resolve) => {
      const writeHead = (code: number) => {
        resolve(code);
        return { end: () => undefined };
      };
      const response = { req: requestOf(), headersSent: false, writeHead } as unknown as ServerResponse;
      protectHandler(verifier, { failed }, () => Promise.reject(broken))(response.req, response);
    });
    assert.deepEqual([status, failures], [500, [broken]]);
    verifier.close();
  });

  it('shares used proofs through the caller’s store', async () => {
    const used = new Set<string>();
    const store = { first: async (id: string) => right(!used.has(id) && used.add(id).size > 0) };
    const [one, other] = [0, 1].map(() => sharedReplayCache(store, () => assert.fail('The store was there.')));
    assert.deepEqual(await one?.first('proof', 1_000), right(true));
    assert.deepEqual(await other?.first('proof', 1_000), right(false));
  });
  it('does not wait for ever for the token that the feed is asked for with', async () => {
    const { options } = startIssuer();
    const ending = new AbortController();
    const feedOptions = {
      url: issuer,
      token: () => new Promise<string>(() => undefined),
      fetch: options.fetch as typeof fetch,
    };
    const next = readSecurityState(feedOptions, ending.signal).next();
    ending.abort(new Error('given up'));
    await assert.rejects(next, /given up/);
  });

  it('does without revocations only where that is said', async () => {
    const { verifier, codeOf, followed } = opened({ revocations: 'none' });
    assert.equal(await codeOf(requestOf()), 'let in');
    assert.equal(followed(), 0);
    verifier.close();
  });

  for (const [what, options] of [
    ['an issuer without https', { issuer: 'http://septet.test' }],
    ['an issuer that only begins like this machine', { issuer: 'http://localhost.evil.test' }],
    ['keys without https', { jwksUri: 'http://septet.test/keys' }],
    ['revocations without https', { revocations: { token: () => 'x', url: 'http://septet.test/state' } }],
    ['an origin with a path', { origin: 'https://things.test/v1' }],
    ['no origin', { origin: 'things' }],
  ] as const)
    it(`refuses ${what}`, () => assert.throws(() => opened(options), TypeError));

  it('accepts keys of bounded size from the configured address only', async () => {
    for (const answer of [
      () => new Response('x'.repeat(300_000)),
      () => new Response('{', { status: 200 }),
      () => Response.json({ keys: [issuerKey.jwk] }, { status: 500 }),
      () => Response.json({ keys: 'none' }),
      () => Response.error(),
    ]) {
      const { verifier, codeOf, logged } = opened({
        revocations: 'none',
        fetch: (async () => answer()) as typeof fetch,
      });
      assert.equal(await codeOf(requestOf()), 'service-unavailable');
      assert.ok(logged.includes('signing keys could not be fetched'));
      verifier.close();
    }
  });
});
