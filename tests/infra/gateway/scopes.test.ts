import assert from 'node:assert/strict';
import { isLeft, isRight } from 'fp-ts/Either';
import { requiredScopes } from '../../../infra/gateway/scopes';
import { codeOf, gate, good, key, start } from '../../support/gate';
import { bump } from '../../support/revocations';
import { claimsAt, tokenWith } from '../../support/tokens';

const paths = {
  '/v1/things': {
    get: { security: [{ bearer: ['things:read'] }] },
    post: { security: [{ bearer: ['things:write'] }] },
  },
  '/v1/things/{thingId}': { get: { security: [{ bearer: ['things:read'] }] } },
  '/oauth/token': { post: { security: [] } },
};

describe('scopes at the gateway', () => {
  it('knows what each route needs once the services have told', async () => {
    const scopes = requiredScopes(() => Promise.resolve({ paths }));
    assert.deepEqual(scopes.of('GET', '/v1/things'), []);
    await scopes.refresh();
    assert.deepEqual(scopes.of('GET', '/v1/things?limit=3'), ['things:read']);
    assert.deepEqual(scopes.of('HEAD', '/v1/things/t-1'), ['things:read']);
    assert.deepEqual(scopes.of('POST', '/v1/things'), ['things:write']);
    assert.deepEqual(scopes.of('POST', '/oauth/token'), []);
    assert.deepEqual(scopes.of('GET', '/v1/things/t-1/more'), []);
  });

  it('refuses a token that lacks one, and says which', async () => {
    const { enter } = gate();
    const required = ['things:read', 'things:write'];
    const narrow = await enter(tokenWith(key, claimsAt(start, { scopes: ['things:read'] })), required);
    assert.equal(codeOf(narrow), 'forbidden');
    assert.ok(isLeft(narrow));
    assert.match(narrow.left.headers?.['WWW-Authenticate'] ?? '', /insufficient_scope.*things:read things:write/);
    assert.ok(isRight(await enter(tokenWith(key, claimsAt(start, { scopes: required })), required)));
  });

  it('looks at scopes before revocation and after the audience, as the specification orders', async () => {
    const { revocations, enter } = gate();
    revocations.apply(bump('p-1', 9, { at: start }));
    assert.equal(codeOf(await enter(good, ['things:never'])), 'forbidden');
    const elsewhere = tokenWith(key, claimsAt(start, { aud: ['elsewhere'] }));
    assert.equal(codeOf(await enter(elsewhere, ['things:never'])), 'unauthenticated');
  });
});
