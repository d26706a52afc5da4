import assert from 'node:assert/strict';
import { isLeft, left, right } from 'fp-ts/Either';
import {
  createMetadataDocuments,
  isMetadataUrl,
  parseMetadataDocument,
} from '../../../commands/identity/clients/metadata-document';
import type { TenantId } from '../../../domain/kernel/ids';
import { fault } from '../../../domain/kernel/rejection';
import type { RemoteDocument } from '../../../infra/ports/identity/remote-document';

const url = 'https://client.example/client.json';
const offer = { audiences: ['septet'], accessTokenAlgorithm: 'ES256' } as const;
const document = {
  client_id: url,
  client_name: 'Tools',
  client_uri: 'https://client.example/',
  redirect_uris: ['https://client.example/callback', 'http://127.0.0.1/callback'],
  grant_types: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_method: 'none',
};

describe('a client_id that is a URL', () => {
  for (const good of [url, 'https://client.example/', 'https://client.example:8443/a/b.json?v=1'])
    it(`may be ${good}`, () => assert.ok(isMetadataUrl(good)));

  for (const bad of [
    'http://client.example/client.json',
    'https://client.example',
    'https://client.example/a/../client.json',
    'https://client.example/./client.json',
    'https://client.example/%2e%2e/client.json',
    'https://CLIENT.example/client.json',
    'https://client.example:443/client.json',
    'https://ada@client.example/client.json',
    'https://client.example/client.json#a',
    'https://client.example/cl\u200bient.json',
    `https://client.example/${'a'.repeat(500)}`,
    'main~cli',
    '',
  ])
    it(`is not ${bad.slice(0, 60)}`, () => assert.ok(!isMetadataUrl(bad)));
});

describe('a metadata document', () => {
  const parse = (changes: object) => parseMetadataDocument(url, { ...document, ...changes }, offer);

  it('is the client, with what people have and no more', () => {
    const parsed = parse({ scope: 'openid tools:call principals:read', unknown: 1, firstParty: true });
    assert.ok(!isLeft(parsed));
    const { name, redirectUris, grantTypes, authentication, scopes, audiences: named, firstParty } = parsed.right;
    assert.deepEqual([name, redirectUris, authentication], ['Tools', document.redirect_uris, 'none']);
    assert.deepEqual([grantTypes, scopes, named, firstParty], [document.grant_types, ['openid'], ['septet'], false]);
  });

  it('need not say how it authenticates, what it asks for, or what it is called', () => {
    const parsed = parseMetadataDocument(url, { client_id: url, redirect_uris: document.redirect_uris }, offer);
    assert.ok(!isLeft(parsed));
    assert.deepEqual([parsed.right.name, parsed.right.authentication], ['client.example', 'none']);
    assert.deepEqual(parsed.right.scopes, ['openid', 'profile', 'email', 'offline_access']);
  });

  const refused: readonly (readonly [string, unknown])[] = [
    ['no object', [document]],
    ['of another client', { ...document, client_id: 'https://client.example/other.json' }],
    ['of the same client, written otherwise', { ...document, client_id: `${url}?` }],
    ['with a secret', { ...document, client_secret: 'x' }],
    ['with the end of a secret', { ...document, client_secret_expires_at: 0 }],
    ['that authenticates by a secret', { ...document, token_endpoint_auth_method: 'client_secret_basic' }],
    ['without redirect URIs', { ...document, redirect_uris: undefined }],
    ['with none of them', { ...document, redirect_uris: [] }],
    ['with plain http', { ...document, redirect_uris: ['http://client.example/callback'] }],
    ['of a key that it does not have', { ...document, token_endpoint_auth_method: 'private_key_jwt' }],
    ['with a software statement', { ...document, software_statement: 'x.y.z' }],
    ['with a name that hides something', { ...document, client_name: 'Bank\u202e' }],
  ];
  for (const [what, content] of refused)
    it(`is none ${what}`, () => assert.ok(isLeft(parseMetadataDocument(url, content, offer))));
});

describe('the cache of metadata documents', () => {
  const start = (answer: () => RemoteDocument | undefined) => {
    let now = 0;
    const fetched: string[] = [];
    const documents = createMetadataDocuments({
      tenantId: 'acme' as TenantId,
      offer,
      now: () => now * 1000,
      fetch: async (address) => {
        fetched.push(address);
        const found = answer();
        return found === undefined ? left(fault('remote-unavailable', 'Nothing.')) : right(found);
      },
    });
    const nameAt = async (second: number): Promise<string | undefined> => {
      now = second;
      const found = await documents.of(url);
      return isLeft(found) ? undefined : found.right.name;
    };
    return { documents, fetched, nameAt };
  };

  const bounds: readonly (readonly [string, number | null, number])[] = [
    ['five minutes where the headers say nothing', null, 300],
    ['as long as the headers say', 1_000, 1_000],
    ['a minute at least', 0, 60],
    ['a day at most', 10_000_000, 86_400],
  ];
  for (const [what, freshSeconds, seconds] of bounds)
    it(`keeps one ${what}`, async () => {
      const { nameAt, fetched } = start(() => ({ content: document, freshSeconds }));
      for (const at of [0, seconds - 1]) assert.equal(await nameAt(at), 'Tools');
      assert.equal(fetched.length, 1);
      await nameAt(seconds);
      assert.equal(fetched.length, 2);
    });

  it('keeps no failure, and nothing that is no client', async () => {
    const answers: (RemoteDocument | undefined)[] = [
      undefined,
      { content: { ...document, client_id: 'https://evil.example/' }, freshSeconds: 1_000 },
      { content: document, freshSeconds: null },
    ];
    const { nameAt, fetched } = start(() => answers.shift());
    assert.deepEqual([await nameAt(0), await nameAt(0), await nameAt(0)], [undefined, undefined, 'Tools']);
    assert.equal(fetched.length, 3);
  });

  it('fetches one once for all that ask at once, and not many others at a time', async () => {
    const { documents, fetched } = start(() => ({ content: document, freshSeconds: null }));
    await Promise.all(Array.from({ length: 20 }, () => documents.of(url)));
    assert.equal(fetched.length, 1);
    const others = Array.from({ length: 40 }, (_, at) => documents.of(`https://other.example/${at}`));
    assert.ok((await Promise.all(others)).every(isLeft));
    assert.equal(fetched.length, 17);
  });
});
