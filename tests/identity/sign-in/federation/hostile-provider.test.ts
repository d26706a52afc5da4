import assert from 'node:assert/strict';
import { ada, type Provider, useProvider } from './fixture';

describe('a provider that lies', () => {
  const { stage, provider, allow, leave } = useProvider();

  const now = (): number => Math.floor(Date.now() / 1000);
  const hostile: readonly (readonly [string, (provider: Provider) => void])[] = [
    ['another nonce', ({ answering }) => Object.assign(answering.claims, { nonce: 'n'.repeat(43) })],
    ['no nonce', ({ answering }) => Object.assign(answering.claims, { nonce: undefined })],
    ['another audience', ({ answering }) => Object.assign(answering.claims, { aud: 'another' })],
    [
      'several audiences and another party',
      ({ answering }) => Object.assign(answering.claims, { aud: ['septet', 'x'], azp: 'x' }),
    ],
    [
      'another issuer in the token',
      ({ answering }) => Object.assign(answering.claims, { iss: 'https://evil.example' }),
    ],
    ['a mixed-up issuer in the answer', ({ answering }) => Object.assign(answering, { iss: 'https://evil.example' })],
    [
      'a token that has expired',
      ({ answering }) => Object.assign(answering.claims, { exp: now() - 600, iat: now() - 900 }),
    ],
    ['no subject', ({ answering }) => Object.assign(answering.claims, { sub: undefined })],
    ['alg none', ({ answering }) => Object.assign(answering, { alg: 'none' })],
    [
      'alg none, announced',
      ({ answering }) =>
        Object.assign(answering, {
          alg: 'none',
          metadata: { id_token_signing_alg_values_supported: ['none', 'ES256'] },
        }),
    ],
    ['a MAC under the client’s password', ({ answering }) => Object.assign(answering, { alg: 'HS256' })],
    ['another key', ({ answering }) => Object.assign(answering, { alg: 'other-key' })],
  ];
  for (const [what, spoil] of hostile)
    it(`refuses a sign-in by ${what}`, async () => {
      await allow();
      provider().answering.claims = { ...ada };
      spoil(provider());
      const browser = stage().browser();
      const page = await browser.open(provider().back(await leave(browser)));
      assert.deepEqual([page.status, /Signed in as/.test(page.text)], [403, false], page.text);
      assert.match((await browser.open('/account')).text, /name="password"/);
    });
});
