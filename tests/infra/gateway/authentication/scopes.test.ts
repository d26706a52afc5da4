import assert from 'node:assert/strict';
import { isLeft, isRight } from 'fp-ts/Either';
import { epochBump } from '../../../support/gateway/revocations';
import { codeOf, createTokenVerifier, key, start, validToken } from '../../../support/gateway/token-verifier';
import { claimsAt, tokenWith } from '../../../support/gateway/tokens';

describe('scopes at the gateway', () => {
  it('refuses a token that lacks one, and says which', async () => {
    const { enter } = createTokenVerifier();
    const required = ['things:read', 'things:write'];
    const narrow = await enter(tokenWith(key, claimsAt(start, { scopes: ['things:read'] })), required);
    assert.equal(codeOf(narrow), 'forbidden');
    assert.ok(isLeft(narrow));
    assert.match(narrow.left.headers?.['WWW-Authenticate'] ?? '', /insufficient_scope.*things:read things:write/);
    assert.ok(isRight(await enter(tokenWith(key, claimsAt(start, { scopes: required })), required)));
  });

  it('looks at scopes before revocation and after the audience, as the specification orders', async () => {
    const { revocations, enter } = createTokenVerifier();
    revocations.apply(epochBump('p-1', 9, { at: start }));
    assert.equal(codeOf(await enter(validToken, ['things:never'])), 'forbidden');
    const elsewhere = tokenWith(key, claimsAt(start, { aud: ['elsewhere'] }));
    assert.equal(codeOf(await enter(elsewhere, ['things:never'])), 'unauthenticated');
  });
});
