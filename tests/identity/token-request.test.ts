import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isLeft, isRight } from 'fp-ts/Either';
import { readClientId, writeClientId } from '../../commands/identity/client-id';
import { type TokenRequest, tokenRequest } from '../../commands/identity/token-request';

const basic = (id: string, secret: string): string =>
  `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`;

const form = { grant_type: 'client_credentials', client_id: 'acme.p-1', client_secret: 's' };

const accepted = (...given: Parameters<typeof tokenRequest>): TokenRequest => {
  const request = tokenRequest(...given);
  assert.ok(isRight(request));
  return request.right;
};

const refusedAs = (error: string, ...given: Parameters<typeof tokenRequest>): void => {
  const request = tokenRequest(...given);
  assert.ok(isLeft(request), `${error} expected`);
  assert.equal((request.left.body as { error: string }).error, error);
  assert.equal(request.left.status, error === 'invalid_client' ? 401 : 400);
};

describe('token request', () => {
  it('takes the client from the form', () => {
    const { clientId, clientSecret, scopes, audience } = accepted(form, undefined);
    assert.deepEqual([clientId, clientSecret, scopes, audience], ['acme.p-1', 's', undefined, []]);
  });

  it('takes any client from HTTP Basic, as RFC 6749 encodes it', () =>
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, unit: 'binary' }),
        fc.string({ minLength: 1, unit: 'binary' }),
        (id, secret) => {
          fc.pre(id.isWellFormed() && secret.isWellFormed() && id.length + secret.length < 300);
          const request = accepted({ grant_type: 'client_credentials' }, basic(id, secret));
          assert.deepEqual([request.clientId, request.clientSecret], [id, secret]);
        },
      ),
    ));

  it('counts a parameter without a value as left out', () =>
    assert.equal(accepted({ ...form, scope: '', audience: '' }, undefined).scopes, undefined));

  it('accepts a client_id that repeats the one in the header', () =>
    assert.equal(accepted({ grant_type: form.grant_type, client_id: 'a.b' }, basic('a.b', 's')).clientId, 'a.b'));

  const { grant_type: grantType, ...client } = form;
  const refusals: readonly (readonly [string, string, Record<string, unknown>, string?])[] = [
    ['no grant type', 'invalid_request', client],
    ['another grant type', 'unsupported_grant_type', { ...form, grant_type: 'password' }],
    ['a duplicate parameter', 'invalid_request', { ...form, scope: ['a:b', 'c:d'] }],
    ['a duplicate client id', 'invalid_request', { ...form, client_id: ['acme.p-1', 'acme.p-2'] }],
    ['a huge parameter', 'invalid_request', { ...form, client_secret: 'x'.repeat(4097) }],
    ['no client', 'invalid_client', { grant_type: grantType }],
    ['no secret', 'invalid_client', { grant_type: grantType, client_id: 'acme.p-1' }],
    ['two ways to authenticate', 'invalid_request', form, basic('acme.p-1', 's')],
    ['two clients', 'invalid_request', { grant_type: grantType, client_id: 'acme.p-2' }, basic('acme.p-1', 's')],
    ['another scheme', 'invalid_client', { grant_type: grantType }, 'Bearer abc'],
    ['a header without a colon', 'invalid_client', { grant_type: grantType }, `Basic ${btoa('acme.p-1')}`],
    ['a header with broken encoding', 'invalid_client', { grant_type: grantType }, `Basic ${btoa('a%zz:s')}`],
    ['a huge header', 'invalid_client', { grant_type: grantType }, `Basic ${'A'.repeat(100_000)}`],
    ['a malformed scope', 'invalid_scope', { ...form, scope: 'a:b  c:d' }],
    ['a scope with quotes', 'invalid_scope', { ...form, scope: '"' }],
  ];
  for (const [what, error, fields, authorization] of refusals)
    it(`answers ${error} to ${what}`, () => refusedAs(error, fields, authorization));

  it('answers, whatever a form holds', () =>
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.anything()),
        fc.option(fc.string(), { nil: undefined }),
        (any, header) => {
          tokenRequest(any, header);
        },
      ),
    ));
});

describe('client id', () => {
  it('is the tenant, a dot and the principal', () => {
    const id = readClientId('acme.p-1');
    assert.ok(id);
    assert.deepEqual([id.tenantId, id.principalId], ['acme', 'p-1']);
    assert.equal(writeClientId(id), 'acme.p-1');
  });

  it('cannot name a stream that is not a principal of a tenant', () => {
    const attempts = [
      '',
      '.',
      'acme',
      'acme.',
      '.p-1',
      'acme.p.1',
      'acme.p/1',
      'ACME.p',
      'acme.p\n',
      '$acme.p',
      'acme.-p',
      '../acme.p',
    ];
    for (const attempt of [...attempts, `acme.${'p'.repeat(129)}`, `${'a'.repeat(64)}.p`])
      assert.equal(readClientId(attempt), undefined, JSON.stringify(attempt));
  });
});
