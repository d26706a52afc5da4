import assert from 'node:assert/strict';
import { issuer, startIssuer } from '../token/fixture';

type Issuer = Awaited<ReturnType<typeof startIssuer>>;
type Json = Record<string, unknown>;

const jsonOf = async (response: Response): Promise<Json> => (await response.json()) as Json;

describe('keys and metadata', () => {
  let service: Issuer;
  before(async () => {
    service = await startIssuer();
  });
  after(() => service.close());
  const get = (path: string, headers = {}) => service.call(path, { identity: 'anonymous', headers });

  it('may be cached, and are not sent again while they hold', async () => {
    for (const path of ['/oauth/jwks', '/.well-known/oauth-authorization-server']) {
      const answer = await get(path);
      assert.equal(answer.headers.get('cache-control'), 'public, max-age=300');
      const again = await get(path, { 'if-none-match': answer.headers.get('etag') });
      assert.equal(again.status, 304);
    }
  });

  it('show no private part', async () => {
    const { keys } = (await jsonOf(await get('/oauth/jwks'))) as { keys: Json[] };
    const members = {
      EC: ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'],
      RSA: ['alg', 'e', 'kid', 'kty', 'n', 'use'],
    };
    for (const key of keys) assert.deepEqual(Object.keys(key).sort(), members[key.kty as keyof typeof members]);
    assert.deepEqual(
      keys.map(({ alg }) => alg),
      ['ES256', 'RS256'],
    );
  });

  it('say where everything is', async () => {
    const metadata = await jsonOf(await get('/.well-known/oauth-authorization-server'));
    assert.equal(metadata.issuer, issuer);
    assert.equal(metadata.token_endpoint, `${issuer}/oauth/token`);
    assert.equal(metadata.jwks_uri, `${issuer}/oauth/jwks`);
  });
});
