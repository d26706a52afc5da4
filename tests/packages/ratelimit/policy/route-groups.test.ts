import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { segmentsOf } from '../../../../packages/ratelimit/src/policy/path-readings';
import { createRouteGroups } from '../../../../packages/ratelimit/src/policy/route-groups';

const groupOf = createRouteGroups([
  { name: 'sign-in', methods: ['POST'], paths: ['/v1/login', '/v1/sessions/*'] },
  { name: 'item', paths: ['/v1/items/*'] },
  { name: 'newest', paths: ['/v1/items/newest'] },
  { name: 'files', methods: ['GET'], paths: ['/files/**'] },
  { name: 'parts', paths: ['/v1/items/*/parts/*'] },
  { name: 'root', paths: ['/'] },
]);

describe('the group of a request', () => {
  const examples: readonly (readonly [string, string, string])[] = [
    ['POST', '/v1/login', 'sign-in'],
    ['post', '/v1/login', 'sign-in'],
    ['GET', '/v1/login', 'other'],
    ['POST', '/v1/login/', 'sign-in'],
    ['POST', '/V1/LogIn', 'sign-in'],
    ['POST', '//v1///login', 'sign-in'],
    ['POST', '/v1/%6Cogin', 'sign-in'],
    ['POST', '/v1/%6cogin?user=a#top', 'sign-in'],
    ['POST', '/v1/x/../login', 'sign-in'],
    ['POST', '/v1/x/%2E%2e/login', 'sign-in'],
    ['POST', '/v1/./login', 'sign-in'],
    ['POST', '/v1\\login', 'sign-in'],
    ['POST', 'http://elsewhere.test:81/v1/login', 'sign-in'],
    ['POST', '/../../v1/login', 'sign-in'],
    ['POST', '/v1/%256cogin', 'sign-in'],
    ['POST', '/v1%2flogin', 'sign-in'],
    ['POST', '/v1/login/more', 'other'],
    ['POST', '/v1/%ff', 'other'],
    ['GET', '/v1/items/7', 'item'],
    ['GET', '/v1/items/a%2Fb', 'item'],
    ['GET', '/v1/items/newest', 'item'],
    ['GET', '/v1/items/', 'other'],
    ['GET', '/v1/items/7/parts/1', 'parts'],
    ['GET', '/files', 'files'],
    ['GET', '/files/a/b/c', 'files'],
    ['HEAD', '/files/a', 'files'],
    ['PUT', '/files/a', 'other'],
    ['GET', '/', 'root'],
    ['GET', '', 'root'],
    ['OPTIONS', '*', 'other'],
  ];
  for (const [method, target, group] of examples)
    it(`of ${method} ${target} is ${group}`, () => assert.equal(groupOf(target, method), group));

  it('is one, whatever comes', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii' }), fc.string(), (target, method) => {
        assert.equal(typeof groupOf(target, method), 'string');
      }),
    ));

  it('is the same with every letter encoded, in capitals, and with slashes to spare', () => {
    const segment = fc.stringMatching(/^[a-z0-9-]{1,8}$/);
    const encoded = (text: string): string =>
      [...text].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 5 }), (segments) => {
        const plain = segmentsOf(`/${segments.join('/')}`);
        assert.deepEqual(segmentsOf(`//${segments.map(encoded).join('//')}/`), plain);
        assert.deepEqual(segmentsOf(`/${segments.join('/').toUpperCase()}?x`), plain);
        assert.deepEqual(segmentsOf(`/x/..${segments.map((one) => `/./${one}`).join('')}`), plain);
      }),
    );
  });

  it('is the first that fits, as if all were tried', () => {
    const part = fc.constantFrom('a', 'b', '*');
    const path = fc.tuple(fc.array(part, { maxLength: 3 }), fc.boolean());
    const fits = ([parts, isOpen]: readonly [readonly string[], boolean], segments: readonly string[]): boolean =>
      (isOpen ? segments.length >= parts.length : segments.length === parts.length) &&
      parts.every((one, index) => one === '*' || one === segments[index]);
    fc.assert(
      fc.property(fc.array(path, { maxLength: 8 }), fc.array(fc.constantFrom('a', 'b', 'c')), (paths, segments) => {
        const groups = paths.map(([parts, isOpen], index) => ({
          name: String(index),
          paths: [`/${[...parts, ...(isOpen ? ['**'] : [])].join('/')}`],
        }));
        const first = paths.findIndex((one) => fits(one, segments));
        assert.equal(
          createRouteGroups(groups)(`/${segments.join('/')}`, 'GET'),
          first === -1 ? 'other' : String(first),
        );
      }),
    );
  });
});
