/** Headers that claim an identity or an address, or that are too many. */
import assert from 'node:assert/strict';
import { openCallerSigner } from '../../../infra/server/http/identity/caller-signer';
import { signCaller } from '../../../infra/server/http/identity/identity-header';
import { capturedLog } from '../../support/http/http-service';
import { newInternalKey } from '../../support/http/internal-keys';
import { assertRefused, head, raw, registration, type Stage, statusesIn } from './fixture';

const length = `Content-Length: ${registration.length}`;
const someone = {
  tenantId: 'main',
  principalId: 'p',
  principalType: 'HUMAN',
  scopes: ['principals:write'],
  tokenId: 't',
};

const forged = (text: string): string =>
  signCaller(
    { identity: someone, requestId: 'r' },
    {
      signer: openCallerSigner({ text, log: capturedLog() }),
      line: { method: 'POST', target: '/v1/principals' },
      now: Date.now(),
    },
  );

const withoutToken = (...lines: readonly string[]): string =>
  [
    'POST /v1/principals HTTP/1.1',
    'Host: x',
    'Content-Type: application/json',
    length,
    ...lines,
    '',
    registration,
  ].join('\r\n');

const impostors: readonly (readonly [string, (stage: Stage) => readonly string[]])[] = [
  [
    'an identity that it signed itself',
    () => [`Septet-Identity: ${forged(newInternalKey('gateway', 'everybody').pem)}`],
  ],
  [
    'an identity with the right signature',
    ({ services }) => [`Septet-Identity: ${forged(services.secret('gateway-signing-key'))}`],
  ],
  [
    'an identity that another process signed',
    ({ services }) => [`Septet-Identity: ${forged(services.secret('ratelimit-signing-key'))}`],
  ],
  [
    'an identity by another spelling',
    ({ services }) => [`septet_identity: ${forged(services.secret('gateway-signing-key'))}`],
  ],
  ['a token in a cookie', ({ admin }) => [`Cookie: token=${admin.token()}; authorization=Bearer ${admin.token()}`]],
  ['a token in another header', ({ admin }) => [`X-Authorization: Bearer ${admin.token()}`]],
  ['a token of another kind', ({ admin }) => [`Authorization: Basic ${admin.token()}`]],
  ['a token with something behind', ({ admin }) => [`Authorization: Bearer ${admin.token()}, Bearer x`]],
  ['an address of ours', () => ['X-Forwarded-For: 127.0.0.1', 'X-Real-IP: 127.0.0.1', 'Forwarded: for=127.0.0.1']],
  ['another target', () => ['X-Original-URL: /oauth/jwks', 'X-Rewrite-URL: /oauth/jwks']],
  ['another method', () => ['X-HTTP-Method-Override: GET', 'X-Method-Override: GET']],
];

const floods: readonly (readonly [string, readonly string[]])[] = [
  ['too many headers', Array.from({ length: 101 }, (_, at) => `X-${at}: 1`)],
  ['thousands of short headers', Array.from({ length: 4_000 }, () => 'a:b')],
  ['one long header', [`X-Long: ${'x'.repeat(20_000)}`]],
  ['a name without end', [`${'x'.repeat(200_000)}`]],
  ['many cookies', Array.from({ length: 90 }, (_, at) => `Cookie: c${at}=${'x'.repeat(200)}`)],
  ['two tokens', ['Authorization: Bearer x']],
  ['two content types', ['Content-Type: text/plain']],
  ['two keys of idempotency', ['Idempotency-Key: a', 'Idempotency-Key: b']],
  ['two hosts', ['Host: other.test']],
];

export const headers = (stage: () => Stage): void => {
  for (const [name, lines] of impostors)
    it(`refuses requests with ${name}`, async () => {
      assert.match(
        await assertRefused(stage(), withoutToken('Connection: close', ...lines(stage()))),
        /^HTTP\/1.1 401 /,
      );
    });
  for (const [name, lines] of floods)
    it(`refuses ${name}`, async () =>
      void (await assertRefused(stage(), `${head(stage(), length, ...lines)}\r\n${registration}`)));

  for (const host of ['', 'a b', 'evil.test/path', 'user@evil.test', 'a,b', '[::1', 'x\x00'])
    it(`refuses the host ${JSON.stringify(host)}`, async () => {
      const bytes = `GET /oauth/jwks HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
      assert.match(await assertRefused(stage(), bytes), /^HTTP\/1.1 400 /);
    });

  it('keeps what it says itself, whatever a client declares to be for one hop', async () => {
    const hop =
      'Connection: close, Septet-Identity, X-Request-Id, X-Forwarded-For, Authorization, Content-Length, Host';
    const answer = await raw(stage().port, `${head(stage(), length, hop)}\r\n${registration}`);
    assert.deepEqual(statusesIn(answer), [201]);
  });

  it('repeats nothing of a request in what it answers', async () => {
    const answer = await raw(
      stage().port,
      `GET /v1/<script>alert(1)</script> HTTP/1.1\r\nHost: <b>.test\r\nX-Request-Id: <i>\r\nConnection: close\r\n\r\n`,
    );
    assert.ok(statusesIn(answer).every((status) => status >= 400));
    assert.doesNotMatch(answer, /<script>|<b>|<i>/);
  });
};
