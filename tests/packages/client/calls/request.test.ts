import assert from 'node:assert/strict';
import { connect } from '../../../../packages/client/src/index';
import { failure, json, principal, registered, stage } from '../fixture';

const page = { items: [], next_cursor: null };

describe('client: requests', () => {
  it('goes to where the API is, behind a path too', async () => {
    for (const [baseUrl, expected] of [
      ['https://septet.test', 'https://septet.test/v1/principals/p-1'],
      ['https://septet.test/', 'https://septet.test/v1/principals/p-1'],
      ['https://septet.test/some/place/', 'https://septet.test/some/place/v1/principals/p-1'],
      [new URL('http://127.0.0.1:7070/api?x=1#y'), 'http://127.0.0.1:7070/api/v1/principals/p-1'],
    ] as const) {
      const { client, requests } = stage([json(200, principal)], { baseUrl });
      await client.getPrincipal({ principalId: 'p-1' });
      assert.equal(requests[0]?.url, expected);
    }
  });

  it('refuses an address that is none', () => {
    for (const baseUrl of ['septet.test:7070', 'file:///etc', 'http://who:pass@septet.test', undefined])
      assert.throws(() => connect(baseUrl === undefined ? {} : { baseUrl }), TypeError);
  });

  it('lets nothing in an input lead to another path or parameter', async () => {
    const { client, requests } = stage([json(200, principal), json(200, page)]);
    await client.getPrincipal({ principalId: '../x/?a=b#c%2f' });
    await client.listSecurityEvents({ q: 'a&limit=1', principalId: undefined });
    assert.equal(requests[0]?.url, 'http://septet.test/v1/principals/..%2Fx%2F%3Fa%3Db%23c%252f');
    assert.equal(requests[1]?.url, 'http://septet.test/v1/security/events?q=a%26limit%3D1');
    for (const principalId of ['', '.', '..', undefined as never, {} as never])
      assert.ok((await failure(client.getPrincipal({ principalId }))) instanceof TypeError);
    assert.equal(requests.length, 2);
  });

  it('fills parameters of the path whatever their names are made of', async () => {
    const { client, requests } = stage([json(404, {})]);
    await failure(client.getEntity({ entity_id: 'a/b' }));
    assert.equal(requests[0]?.url, 'http://septet.test/v1/entities/a%2Fb');
  });

  it('sends forms as forms, without a token', async () => {
    const answer = { access_token: 'a', token_type: 'Bearer', expires_in: 60, scope: '' };
    const { client, requests } = stage([json(200, answer)]);
    await client.issueToken({ body: { grant_type: 'client_credentials', client_id: 'a b', client_secret: 's&s' } });
    const [{ headers, body } = assert.fail()] = requests;
    assert.equal(body, 'grant_type=client_credentials&client_id=a+b&client_secret=s%26s');
    assert.equal(headers.get('content-type'), 'application/x-www-form-urlencoded');
    assert.equal(headers.get('authorization'), null);
  });

  it('adds headers of the client and of the call', async () => {
    const { client, requests } = stage([registered()], { headers: () => ({ 'x-one': '1', 'x-two': '1' }) });
    await client.registerPrincipal({ body: { principalType: 'HUMAN' } }, { headers: { 'x-two': '2' } });
    assert.deepEqual([requests[0]?.headers.get('x-one'), requests[0]?.headers.get('x-two')], ['1', '2']);
  });

  it('tells a malformed header from a broken network', async () => {
    const { client, requests } = stage([], { headers: { 'x-one': 'a\nb' } });
    const error = await failure(client.registerPrincipal({ body: { principalType: 'HUMAN' } }));
    assert.deepEqual([error instanceof TypeError, requests.length], [true, 0]);
  });
});

describe('client: read your writes', () => {
  it('waits for the highest position of its own commands, as long as a query can', async () => {
    const { client, requests } = stage([
      registered('9'),
      registered('10'),
      registered('7'),
      json(200, principal),
      json(200, { keys: [] }),
    ]);
    assert.equal(client.position(), undefined);
    for (let count = 0; count < 3; count += 1) await client.registerPrincipal({ body: { principalType: 'HUMAN' } });
    assert.equal(client.position(), '10');
    await client.getPrincipal({ principalId: 'p-1' });
    await client.getSigningKeys();
    assert.equal(requests[3]?.headers.get('min-position'), '10');
    assert.equal(requests[4]?.headers.get('min-position'), null);
  });

  it('waits for an observed position, for that of one query, or not at all', async () => {
    const { client, requests } = stage([json(200, page), json(200, page), json(200, page)]);
    client.observePosition('18446744073709551615');
    client.observePosition('twelve');
    await client.listPrincipals();
    await client.listPrincipals({}, { minPosition: '3' });
    await client.listPrincipals({}, { minPosition: 'none' });
    assert.deepEqual(
      requests.map(({ headers }) => headers.get('min-position')),
      ['18446744073709551615', '3', null],
    );
  });

  it('is not led by positions that are none', async () => {
    const { client } = stage([registered('abc'), registered('-4')]);
    await client.registerPrincipal({ body: { principalType: 'HUMAN' } });
    await client.registerPrincipal({ body: { principalType: 'HUMAN' } });
    assert.equal(client.position(), undefined);
  });
});

describe('client: pages', () => {
  const listed = (ids: readonly string[], next: string | null) =>
    json(200, { items: ids.map((principalId) => ({ ...principal, principalId })), next_cursor: next });

  it('asks for the next page only when it is wanted', async () => {
    const { client, requests } = stage([listed(['a', 'b'], 'c1'), listed(['c'], null)]);
    const seen: string[] = [];
    for await (const { principalId } of client.listPrincipals.items({ limit: 2 })) {
      seen.push(`${principalId}${requests.length}`);
    }
    assert.deepEqual(seen, ['a1', 'b1', 'c2']);
    assert.equal(requests[1]?.url, 'http://septet.test/v1/principals?limit=2&cursor=c1');
  });

  it('starts at the given cursor, and stops when the loop is left', async () => {
    const { client, requests } = stage([listed(['a'], 'c2')]);
    for await (const { body } of client.listPrincipals.pages({ cursor: 'c1' })) {
      assert.equal(body.next_cursor, 'c2');
      break;
    }
    assert.deepEqual(
      requests.map(({ url }) => url.split('?')[1]),
      ['cursor=c1'],
    );
  });

  it('does not go round with a server that does', async () => {
    const { client } = stage([listed(['a'], 'c1'), listed(['a'], 'c1')]);
    const all = async () => {
      for await (const _item of client.listPrincipals.items());
    };
    assert.match(String(await failure(all())), /names itself/);
  });
});
