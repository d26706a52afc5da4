import assert from 'node:assert/strict';
import { createSecretKey } from 'node:crypto';
import { isLeft, isRight } from 'fp-ts/Either';
import { refuseCaller, signCaller, verifyCaller } from '../../../infra/http/identity';
import { signedHeader, someone, startHttpService } from '../../support/http-service';

const key = createSecretKey(Buffer.from('k'.repeat(43)));
const line = { method: 'POST', target: '/v1/principals?x=1' };
const now = 1_700_000_000_000;
const caller = { identity: someone, requestId: 'request-1' };
const header = signCaller(caller, { key, line, now });
const reasonOf = (given: string | undefined, changes: object = {}): string => {
  const verified = verifyCaller(given, { key, line, now, ...changes });
  assert.ok(isLeft(verified));
  return verified.left;
};

describe('internal identity header', () => {
  it('carries the caller', () => {
    const verified = verifyCaller(header, { key, line, now: now + 29_000 });
    assert.ok(isRight(verified));
    assert.deepEqual(verified.right, caller);
  });
  it('carries nobody on public routes', () => {
    const anonymous = signCaller({ identity: undefined, requestId: 'r' }, { key, line, now });
    const verified = verifyCaller(anonymous, { key, line, now });
    assert.ok(isRight(verified));
    assert.equal(verified.right.identity, undefined);
  });
  it('holds for one method and one target', () => {
    assert.equal(reasonOf(header, { line: { ...line, method: 'DELETE' } }), 'signature differs');
    assert.equal(reasonOf(header, { line: { ...line, target: '/v1/principals?x=2' } }), 'signature differs');
  });
  it('ends half a minute later, with five seconds for clocks that differ', () => {
    assert.ok(isRight(verifyCaller(header, { key, line, now: now + 34_900 })));
    assert.equal(reasonOf(header, { now: now + 35_100 }), 'expired');
  });
  it('is asked for again when it came too late, and refused when it was never signed', () => {
    assert.equal(refuseCaller('expired').problem.status, 503);
    assert.equal(refuseCaller('signature differs').problem.status, 401);
  });
  it('cannot be made for later', () => assert.equal(reasonOf(header, { now: now - 5_100 }), 'lives too long'));
  it('cannot be made with another key', () =>
    assert.equal(reasonOf(header, { key: createSecretKey(Buffer.from('o'.repeat(43))) }), 'signature differs'));

  const [version, payload = '', mac] = header.split('.');
  const forged = Buffer.from(Buffer.from(payload, 'base64url').toString().replace('things:read', 'admin:all')).toString(
    'base64url',
  );
  for (const [what, given] of [
    ['nothing', undefined],
    ['an empty text', ''],
    ['another version', `v2.${payload}.${mac}`],
    ['no signature', `${version}.${payload}`],
    ['an empty signature', `${version}.${payload}.`],
    ['a cut signature', header.slice(0, -4)],
    ['changed content', `${version}.${forged}.${mac}`],
    ['another part', `${header}.x`],
    ['too much', `v1.${'a'.repeat(20_000)}.${mac}`],
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
