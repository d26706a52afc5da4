import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isLeft, isRight } from 'fp-ts/Either';
import {
  formatApplicationClientId,
  formatPrincipalClientId,
  parseApplicationClientId,
  parsePrincipalClientId,
} from '../../../../commands/identity/clients/client-id';
import { readClientCredentials } from '../../../../commands/identity/oauth/client-authentication/presented-credentials';
import { parseForm, parseScope } from '../../../../commands/identity/oauth/token/oauth-form';

const basic = (id: string, secret: string): string =>
  `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`;

const named = { client_id: 'acme.p-1', client_secret: 's' };
const bearer = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const assertion = `${part({ alg: 'ES256' })}.${part({ sub: 'acme~app' })}.AA`;

const errorOf = (refused: { readonly body?: unknown }): string => (refused.body as { error: string }).error;

const refusedAs = (error: string, ...given: Parameters<typeof readClientCredentials>): void => {
  const read = readClientCredentials(...given);
  assert.ok(isLeft(read), `${error} expected`);
  assert.equal(errorOf(read.left), error);
  assert.equal(read.left.status, error === 'invalid_client' ? 401 : 400);
};

describe('what a client shows', () => {
  it('is a secret in the form', () => {
    const read = readClientCredentials(named, undefined);
    assert.ok(isRight(read));
    assert.deepEqual(read.right, {
      kind: 'secret',
      method: 'client_secret_post',
      clientId: 'acme.p-1',
      secret: 's',
    });
  });

  it('is a secret in HTTP Basic, as RFC 6749 encodes it', () =>
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, unit: 'binary' }),
        fc.string({ minLength: 1, unit: 'binary' }),
        (id, secret) => {
          fc.pre(id.isWellFormed() && secret.isWellFormed() && id.length + secret.length < 300);
          const read = readClientCredentials({}, basic(id, secret));
          assert.ok(isRight(read) && read.right.kind === 'secret');
          assert.deepEqual([read.right.clientId, read.right.secret], [id, secret]);
        },
      ),
    ));

  it('is an assertion, whose subject names the client', () => {
    const read = readClientCredentials({ client_assertion: assertion, client_assertion_type: bearer }, undefined);
    assert.ok(isRight(read));
    assert.deepEqual(read.right, { kind: 'assertion', clientId: 'acme~app', assertion });
  });

  it('is a name, where nothing else comes with it', () => {
    const read = readClientCredentials({ client_id: 'acme~cli' }, undefined);
    assert.ok(isRight(read));
    assert.deepEqual(read.right, { kind: 'name', clientId: 'acme~cli' });
  });

  it('is a name in HTTP Basic with an empty password, as public clients send it', () => {
    for (const header of [`Basic ${btoa('main~cli:')}`, basic('main~cli', '')]) {
      const read = readClientCredentials({}, header);
      assert.ok(isRight(read));
      assert.deepEqual(read.right, { kind: 'name', clientId: 'main~cli' });
    }
  });

  it('may name the client twice, as one', () =>
    assert.ok(isRight(readClientCredentials({ client_id: 'a.b' }, basic('a.b', 's')))));

  const asserted = { client_assertion: assertion, client_assertion_type: bearer };
  const refusals: readonly (readonly [string, string, Record<string, string>, string?])[] = [
    ['no client', 'invalid_client', {}],
    ['a secret without a client', 'invalid_client', { client_secret: 's' }],
    ['basic and post mixed', 'invalid_request', named, basic('acme.p-1', 's')],
    ['basic and an assertion', 'invalid_request', asserted, basic('acme~app', 's')],
    ['a secret and an assertion', 'invalid_request', { ...asserted, client_secret: 's' }],
    ['two clients by Basic', 'invalid_request', { client_id: 'acme.p-2' }, basic('acme.p-1', 's')],
    ['two clients by assertion', 'invalid_request', { ...asserted, client_id: 'acme~other' }],
    ['another scheme', 'invalid_client', {}, 'Bearer abc'],
    ['a header without a colon', 'invalid_client', {}, `Basic ${btoa('acme.p-1')}`],
    ['a header without a name', 'invalid_client', {}, `Basic ${btoa(':s')}`],
    ['a header of nothing', 'invalid_client', {}, `Basic ${btoa(':')}`],
    ['an empty password and a secret', 'invalid_request', named, `Basic ${btoa('acme.p-1:')}`],
    ['an empty password and an assertion', 'invalid_request', asserted, `Basic ${btoa('acme~app:')}`],
    [
      'another client than the one with an empty password',
      'invalid_request',
      { client_id: 'a.b' },
      `Basic ${btoa('c.d:')}`,
    ],
    ['a header with broken encoding', 'invalid_client', {}, `Basic ${btoa('a%zz:s')}`],
    ['a huge header', 'invalid_client', {}, `Basic ${'A'.repeat(100_000)}`],
    ['an assertion of no type', 'invalid_client', { client_assertion: assertion }],
    ['an assertion of another type', 'invalid_client', { ...asserted, client_assertion_type: 'saml2' }],
    ['a type without an assertion', 'invalid_client', { client_assertion_type: bearer, client_id: 'acme~app' }],
    ['an assertion that is none', 'invalid_client', { ...asserted, client_assertion: 'x.y' }],
    ['an assertion of nobody', 'invalid_client', { ...asserted, client_assertion: `${part({})}.${part({})}.AA` }],
  ];
  for (const [what, error, fields, authorization] of refusals)
    it(`answers ${error} to ${what}`, () => refusedAs(error, fields, authorization));
});

describe('the form of a request', () => {
  const partsOf = (form: Record<string, unknown>) => {
    const parts = parseForm(form);
    assert.ok(isRight(parts));
    return parts.right;
  };

  it('counts a parameter without a value as left out', () =>
    assert.deepEqual(partsOf({ scope: '', audience: '', resource: '' }), { parameters: {}, resources: [] }));

  it('takes several resources, each once, and the audience with them', () =>
    assert.deepEqual(partsOf({ resource: ['a', 'b', 'a'], audience: 'c' }).resources, ['a', 'b', 'c']));

  const refusals: readonly (readonly [string, string, Record<string, unknown>])[] = [
    ['a duplicate parameter', 'invalid_request', { scope: ['a:b', 'c:d'] }],
    ['a duplicate client id', 'invalid_request', { client_id: ['acme.p-1', 'acme.p-2'] }],
    ['a duplicate audience', 'invalid_request', { audience: ['a', 'b'] }],
    ['a huge parameter', 'invalid_request', { client_secret: 'x'.repeat(4097) }],
    ['a huge resource', 'invalid_request', { resource: ['a', 'x'.repeat(4097)] }],
    ['a crowd of resources', 'invalid_target', { resource: Array.from({ length: 11 }, (_, index) => `r${index}`) }],
  ];
  for (const [what, error, form] of refusals)
    it(`answers ${error} to ${what}`, () => {
      const parts = parseForm(form);
      assert.ok(isLeft(parts));
      assert.equal(errorOf(parts.left), error);
    });

  for (const scope of ['a:b  c:d', '"', ' a:b', 'a:b\\'])
    it(`answers invalid_scope to ${JSON.stringify(scope)}`, () => {
      const scopes = parseScope(scope);
      assert.ok(isLeft(scopes));
      assert.equal(errorOf(scopes.left), 'invalid_scope');
    });

  it('is answered, whatever it holds', () =>
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.anything()),
        fc.option(fc.string(), { nil: undefined }),
        (any, header) => {
          const parts = parseForm(any);
          if (isRight(parts)) readClientCredentials(parts.right.parameters, header);
        },
      ),
    ));
});

describe('client id', () => {
  it('of a credential is the tenant, a dot and the principal', () => {
    const id = parsePrincipalClientId('acme.p-1');
    assert.ok(id);
    assert.deepEqual([id.tenantId, id.principalId], ['acme', 'p-1']);
    assert.equal(formatPrincipalClientId(id), 'acme.p-1');
  });

  it('of an application is the tenant, a tilde and the application', () => {
    const name = parseApplicationClientId('acme~app-1');
    assert.ok(name);
    assert.deepEqual([name.tenantId, name.applicationId], ['acme', 'app-1']);
    assert.equal(formatApplicationClientId(name), 'acme~app-1');
  });

  for (const [mark, read] of [
    ['.', parsePrincipalClientId],
    ['~', parseApplicationClientId],
  ] as const)
    it(`with ${mark} cannot name a stream of another kind`, () => {
      const attempts = ['', '.', 'acme', 'acme.', '.p-1', 'acme.p.1', 'acme.p/1', 'ACME.p', 'acme.p\n', '$acme.p'];
      const long = [`acme.${'p'.repeat(129)}`, `${'a'.repeat(64)}.p`, 'acme.-p', '../acme.p', 'acme.p~q'];
      for (const attempt of [...attempts, ...long])
        assert.equal(read(attempt.replace('.', mark)), undefined, JSON.stringify(attempt));
    });
});
