import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { isLeft, isRight } from 'fp-ts/Either';
import { openCallerKeys } from '../../../../infra/server/http/identity/caller-keys';
import { readMacKeys } from '../../../../infra/server/http/identity/caller-mac';
import { openCallerSigner } from '../../../../infra/server/http/identity/caller-signer';
import { refuseCaller, signCaller, verifyCaller } from '../../../../infra/server/http/identity/identity-header';
import { useTemporaryDirectory } from '../../../support/files/temporary-directory';
import { capturedLog, sampleIdentity, signedHeader, startHttpService } from '../../../support/http/http-service';
import {
  callerKeysFrom,
  gatewayKey,
  type InternalKey,
  jwksText,
  callerKeys as keys,
  limiterKey,
  macSigner,
  newInternalKey,
  signatures,
  signer,
  signerWith,
} from '../../../support/http/internal-keys';

const line = { method: 'POST', target: '/v1/principals?x=1' };
const now = 1_700_000_000_000;
const caller = { identity: sampleIdentity, requestId: 'request-1' };
const header = signCaller(caller, { signer, line, now });
const reasonOf = (given: string | undefined, changes: object = {}): string => {
  const verified = verifyCaller(given, { keys, line, now, ...changes });
  assert.ok(isLeft(verified));
  return verified.left;
};

describe('internal identity header', () => {
  it('carries the caller', () => {
    const verified = verifyCaller(header, { keys, line, now: now + 29_000 });
    assert.ok(isRight(verified));
    assert.deepEqual(verified.right, caller);
  });
  it('has no principal on public routes', () => {
    const anonymous = signCaller({ identity: undefined, requestId: 'r' }, { signer, line, now });
    const verified = verifyCaller(anonymous, { keys, line, now });
    assert.ok(isRight(verified));
    assert.equal(verified.right.identity, undefined);
  });
  it('holds for one method and one target', () => {
    assert.equal(reasonOf(header, { line: { ...line, method: 'DELETE' } }), 'signature differs');
    assert.equal(reasonOf(header, { line: { ...line, target: '/v1/principals?x=2' } }), 'signature differs');
  });
  it('ends half a minute later, with five seconds for clocks that differ', () => {
    assert.ok(isRight(verifyCaller(header, { keys, line, now: now + 34_900 })));
    assert.equal(reasonOf(header, { now: now + 35_100 }), 'expired');
  });
  it('is asked for again when it came too late, and refused when it was never signed', () => {
    assert.equal(refuseCaller('expired').problem.status, 503);
    assert.equal(refuseCaller('signature differs').problem.status, 401);
  });
  it('cannot be made for later', () => assert.equal(reasonOf(header, { now: now - 5_100 }), 'lives too long'));

  const [version, keyId = '', payload = '', signature] = header.split('.');
  it('cannot be made with another key, also under the name of a known one', () => {
    const other = signCaller(caller, { signer: signerWith(newInternalKey('gateway', 'everybody')), line, now });
    assert.equal(reasonOf(other), 'unknown key');
    const [, , content, signed] = other.split('.');
    assert.equal(reasonOf(`v2.${keyId}.${content}.${signed}`), 'signature differs');
  });
  it('cannot be made with a secret that all have, as it once was', () => {
    const secret = 'k'.repeat(43);
    const { method, target } = line;
    const mac = createHmac('sha256', secret).update(`v1\n${method}\n${target}\n${payload}`).digest('base64url');
    assert.equal(reasonOf(`v1.${payload}.${mac}`), 'malformed');
    // Nor with a public key taken for a secret.
    const confused = createHmac('sha256', gatewayKey.jwk.x).update(`v2\n${keyId}\n${payload}`).digest('base64url');
    assert.equal(reasonOf(`v2.${keyId}.${payload}.${confused}`), 'signature differs');
  });

  const forged = Buffer.from(Buffer.from(payload, 'base64url').toString().replace('things:read', 'admin:all')).toString(
    'base64url',
  );
  for (const [what, given] of [
    ['nothing', undefined],
    ['an empty text', ''],
    ['another version', `v3.${keyId}.${payload}.${signature}`],
    ['no key', `${version}..${payload}.${signature}`],
    ['the name of something that is no key', `${version}.__proto__.${payload}.${signature}`],
    ['no signature', `${version}.${keyId}.${payload}`],
    ['an empty signature', `${version}.${keyId}.${payload}.`],
    ['a signature of zeros', `${version}.${keyId}.${payload}.${'A'.repeat(86)}`],
    ['a cut signature', header.slice(0, -4)],
    ['changed content', `${version}.${keyId}.${forged}.${signature}`],
    ['another part', `${header}.x`],
    ['too much', `v2.${keyId}.${'a'.repeat(24_000)}.${signature}`],
  ] as const)
    it(`refuses ${what}`, () => assert.ok(reasonOf(given).length > 0));

  it('is asked for on every path of a service, known or not', async () => {
    const service = await startHttpService([]);
    const other = { 'septet-identity': signedHeader('GET', '/other') };
    for (const headers of [{}, other])
      for (const path of ['/v1/things', '/openapi.json', '/unknown'])
        assert.equal((await fetch(`${service.url}${path}`, { headers })).status, 401);
    await service.close();
  });
});

describe('the header with a MAC in place of a signature', () => {
  const written = signCaller(caller, { signer: macSigner, line, now });
  const [, keyId = '', payload = '', mac = ''] = written.split('.');

  it('carries the caller, for one method, one target and half a minute', () => {
    const verified = verifyCaller(written, { keys, line, now });
    assert.ok(isRight(verified));
    assert.deepEqual(verified.right, caller);
    assert.equal(reasonOf(written, { line: { ...line, method: 'DELETE' } }), 'signature differs');
    assert.equal(reasonOf(written, { line: { ...line, target: '/v1/principals?x=2' } }), 'signature differs');
    assert.equal(reasonOf(written, { now: now + 35_100 }), 'expired');
  });
  it('is none when any character of it is another', () =>
    fc.assert(
      fc.property(fc.nat(written.length - 2), fc.constantFrom('A', 'z', '.', '_'), (at, character) => {
        fc.pre(written[at] !== character);
        reasonOf(`${written.slice(0, at)}${character}${written.slice(at + 1)}`);
      }),
    ));
  it('takes a MAC of its own length only, and no signature for one or the other way round', () => {
    for (const length of [0, 1, 31, 33, 64])
      assert.equal(
        reasonOf(`v2.${keyId}.${payload}.${Buffer.alloc(length).toString('base64url')}`),
        'signature differs',
      );
    const [, signingKeyId, signedPayload, signature] = header.split('.');
    assert.equal(reasonOf(`v2.${keyId}.${signedPayload}.${signature}`), 'signature differs');
    assert.equal(reasonOf(`v2.${signingKeyId}.${payload}.${mac}`), 'signature differs');
  });
  it('is not accepted without that key', () => assert.equal(reasonOf(written, { keys: signatures }), 'unknown key'));

  for (const [what, text] of [
    ['nothing', ''],
    ['a key without its state', 'A'.repeat(43)],
    ['no key that signs', `next ${'A'.repeat(43)}`],
    ['two that sign', `signs ${'A'.repeat(43)}\nsigns ${'B'.repeat(43)}`],
    ['a short key', `signs ${'A'.repeat(42)}`],
    ['another line', `signs ${'A'.repeat(43)}\nold ${'B'.repeat(43)}`],
  ] as const)
    it(`is not made with a file of ${what}, and the fault shows nothing of it`, () => {
      const read = readMacKeys(text);
      assert.ok(isLeft(read));
      assert.ok(!/AAAA/.test(read.left));
    });
});

describe("a service's own key", () => {
  const itself = {
    tenantId: 'acme',
    principalId: 'ratelimit',
    principalType: 'SERVICE',
    scopes: ['ratelimit:record', 'ratelimit:read'],
    tokenId: 'ratelimit',
  };
  const as = (changes: object, more: object = {}): string =>
    signCaller(
      { identity: { ...itself, ...changes }, requestId: 'r', ...more },
      { signer: signerWith(limiterKey), line, now },
    );

  it('asserts the service itself', () => assert.ok(isRight(verifyCaller(as({}), { keys, line, now }))));

  const certificate = { thumbprint: 'x'.repeat(43), der: 'AA', trusted: true };
  for (const [what, given] of [
    ['a person', as({ principalId: 'p-1', principalType: 'HUMAN' })],
    ['a person of its own name', as({ principalType: 'HUMAN' })],
    ['another service', as({ principalId: 'pipeline' })],
    ['itself with scopes of an administrator', as({ scopes: ['ratelimit:read', 'principals:write'] })],
    ['nobody', as({}, { identity: undefined })],
    ["a client's certificate", as({}, { certificate })],
  ] as const)
    it(`cannot assert ${what}`, () => assert.equal(reasonOf(given), 'asserts another caller'));

  it('cannot reach a route of a service as an administrator', async () => {
    const service = await startHttpService([]);
    const target = '/openapi.json';
    const identity = { ...itself, principalId: 'admin', principalType: 'HUMAN', scopes: ['principals:write'] };
    const signing = { signer: signerWith(limiterKey), line: { method: 'GET', target }, now: Date.now() };
    const headers = { 'septet-identity': signCaller({ identity, requestId: 'r' }, signing) };
    assert.equal((await fetch(`${service.url}${target}`, { headers })).status, 401);
    await service.close();
  });
});

describe('the set of internal keys', () => {
  const directory = useTemporaryDirectory('keys');
  let seconds = 0;
  const clock = () => seconds * 1_000;
  const log = capturedLog();

  const put = (name: string, text: string): string => {
    const path = join(directory, name);
    writeFileSync(path, text);
    return path;
  };
  const signedWith = (key: InternalKey): string => signCaller(caller, { signer: signerWith(key), line, now });

  it('takes a new key over without a restart, and refuses a removed one within a second', () => {
    const [first, second] = [newInternalKey('gateway', 'everybody'), newInternalKey('gateway', 'everybody')];
    const path = put('set', jwksText(first));
    const read = openCallerKeys({ text: jwksText(first), path, log, now: clock });
    const reason = (key: InternalKey): string | undefined => {
      const verified = verifyCaller(signedWith(key), { keys: read, line, now });
      return isLeft(verified) ? verified.left : undefined;
    };
    assert.deepEqual([reason(first), reason(second)], [undefined, 'unknown key']);
    put('set', jwksText(first, second));
    seconds += 1;
    assert.deepEqual([reason(first), reason(second)], [undefined, undefined]);
    put('set', jwksText(second));
    seconds += 1;
    assert.deepEqual([reason(first), reason(second)], ['unknown key', undefined]);
    // Half a file, or none, takes nothing away.
    put('set', jwksText(second).slice(0, 40));
    seconds += 1;
    assert.equal(reason(second), undefined);
    rmSync(path);
    seconds += 1;
    assert.equal(reason(second), undefined);
    assert.equal(log.lines.filter(({ level }) => level === 'error').length, 2);
  });

  it('is asked with a new signing key once its file is another', () => {
    const [first, second] = [newInternalKey('gateway', 'everybody'), newInternalKey('gateway', 'everybody')];
    const path = put('key', `${first.pem}\n`);
    const rotating = openCallerSigner({ text: first.pem, path, log, now: clock });
    const keyIdNow = () => signCaller(caller, { signer: rotating, line, now }).split('.')[1];
    assert.equal(keyIdNow(), first.jwk.kid);
    put('key', second.pem);
    assert.equal(keyIdNow(), first.jwk.kid);
    seconds += 1;
    assert.equal(keyIdNow(), second.jwk.kid);
  });

  it('is not usable with a key under the name of another, or of another kind', () => {
    const [one, other] = [newInternalKey('gateway', 'everybody'), newInternalKey('gateway', 'everybody')];
    const misnamed = { ...one, jwk: { ...one.jwk, kid: other.jwk.kid } };
    assert.throws(() => callerKeysFrom(misnamed), /not the thumbprint/);
    for (const changes of [{ kty: 'RSA' }, { asserts: 'anybody' }, { asserts: {} }, { d: 1, x: 'short' }])
      assert.throws(() => callerKeysFrom({ ...one, jwk: { ...one.jwk, ...changes } as never }), /expected/);
  });
});
