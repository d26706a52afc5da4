import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { checkRedirectUri, isHttps } from '../../../domain/identity/client/redirect-uri';

describe('where browsers may be sent back to', () => {
  const good: readonly (readonly [string, boolean])[] = [
    ['https://app.example/callback', true],
    ['https://app.example', true],
    ['https://app.example:8443/a/b?tenant=acme', true],
    ['http://127.0.0.1/callback', false],
    ['http://[::1]:8080/callback', false],
    ['http://localhost/callback', false],
    ['com.example.app:/callback', false],
  ];
  for (const [address, confidential] of good)
    it(`is ${address}`, () => assert.equal(checkRedirectUri(address, confidential), undefined));

  const bad: readonly (readonly [string, string])[] = [
    ['plain http', 'http://app.example/callback'],
    ['a fragment', 'https://app.example/callback#'],
    ['a wildcard', 'https://*.example/callback'],
    ['a wildcard in the path', 'https://app.example/*'],
    ['a user', 'https://app.example@evil.example/'],
    ['a user without a name', 'https://@evil.example/'],
    ['a script', 'javascript:alert(1)'],
    ['data', 'data:text/html,x'],
    ['a scheme without a dot', 'myapp:/callback'],
    ['dots in the path', 'https://app.example/a/../callback'],
    ['a host in capitals', 'https://APP.example/callback'],
    ['a usual port', 'https://app.example:443/callback'],
    ['a backslash', 'https://app.example\\@evil.example/'],
    ['a space', 'https://app.example/call back'],
    ['a line', 'https://app.example/\nx'],
    ['a tab', 'https://app.example/\tx'],
    ['an encoded NUL', 'https://app.example/%00'],
    ['an encoded line', 'https://app.example/cb?x=%0A'],
    ['an encoded DEL', 'https://app.example/%7f'],
    ['letters of other scripts', 'https://ąpp.example/'],
    ['no address', '/callback'],
    ['a host that only looks local', 'http://127.0.0.1.evil.example/'],
    ['a local address in other digits', 'http://2130706433/'],
    ['nothing', ''],
  ];
  for (const [what, address] of bad) it(`is not ${what}`, () => assert.ok(checkRedirectUri(address, false)));

  for (const [what, address] of [
    ['an encoded NUL', 'https://keys.example/%00'],
    ['an empty fragment', 'https://keys.example/#'],
    ['an empty user', 'https://@keys.example/'],
    ['a user', 'https://a:b@keys.example/'],
    ['a tab', 'https://keys.example/\tx'],
    ['a backslash', 'https:\\\\keys.example/x'],
    ['a single slash', 'https:/keys.example/x'],
    ['http', 'http://keys.example/'],
  ] as const)
    it(`has no keys at ${what}`, () => assert.equal(isHttps(address), false));
  it('may have keys at an https address', () => assert.ok(isHttps('https://keys.example:8443/a.json?b=c@d')));

  it('says that a scheme of its own needs a dot', () => {
    for (const address of ['myapp://callback', 'myapp:/callback'])
      assert.match(checkRedirectUri(address, false) ?? '', /needs a dot, as in com\.example\.app:/, address);
    assert.equal(checkRedirectUri('com.example.myapp://callback', false), undefined);
  });

  it('is no scheme of its own for who has a secret', () =>
    assert.ok(checkRedirectUri('com.example.app:/callback', true)));

  it('is never another host than the one that is read first', () =>
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), fc.string(), (url, more) => {
        const address = url + more;
        if (checkRedirectUri(address, true) === undefined) assert.ok(new URL(address).href.startsWith(address));
      }),
    ));
});
