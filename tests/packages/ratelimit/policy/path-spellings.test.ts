/** Spellings of one path, as servers behind a limiter read them, count to one route group. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Policy, Rule } from '../../../../packages/ratelimit/src/index';
import { createRouteGroups, strictnessOf } from '../../../../packages/ratelimit/src/server';

const rule = (name: string, limit: number, route?: string): Rule => ({
  name,
  by: ['tenant'],
  ...(route === undefined ? {} : { when: { route: [route] } }),
  limit: { algorithm: 'fixed-window', limit, periodMilliseconds: 1_000 },
  onStoreError: 'deny',
});
const policy: Policy = {
  version: '1',
  routeGroups: [
    { name: 'static', paths: ['/static/**'] },
    { name: 'export', paths: ['/v1/exports'] },
    { name: 'parts', paths: ['/v1/exports/*/parts'] },
    { name: 'read', methods: ['GET'], paths: ['/v1/**'] },
  ],
  defaults: [rule('all', 1_000), rule('exports', 2, 'export'), rule('parts', 3, 'parts'), rule('read', 100, 'read')],
};
const groupOf = createRouteGroups(policy.routeGroups ?? [], strictnessOf(policy));

describe('spellings of a path', () => {
  for (const target of [
    '/v1/exports',
    '/v1/exports/',
    '/v1/exports;x=1',
    '/v1/exports;',
    '/v1/exports/;jsessionid=1',
    '/v1;a/exports;b?c',
    '/v1/exports%3Bx=1',
    '/v1/exports%20',
    '/v1/exports+',
    '/v1/exports.',
    '/v1/exports...',
    '/v1/exports.%20.',
    '/v1/exports%09',
    '/v1/exports%00',
    '/v1/exports%00.png',
    '/v1/exports%2500',
    '/v1/exports%0a',
    '/v1//exports',
    '/v1/./exports',
    '/v1/.;x/exports',
    '/v1/x/../exports',
    '/v1/x/..;y/exports',
    '/v1/x/..%20/exports',
    '/v1/x/%2e%2e/exports',
    '/v1/x/%252e%252e/exports',
    '/v1/x/..%2Fexports',
    '/v1/x%2F..%2Fexports',
    '/v1%2Fexports',
    '/v1%252Fexports',
    '/v1\\exports',
    '/v1%5Cexports',
    '/V1/EXPORTS',
    '/v1/%2565xports',
    '/v1/%u0065xports',
    '/v1/%65xports%zz/../exports',
    '/v1%c0%afexports',
    '/v1/e%c1%b8ports',
    '/v1/%e0%81%a5xports',
    '/v1/ｅｘｐｏｒｔｓ',
    '/v1／exports',
    '/static/../v1/exports',
    '/static/..%2fv1/exports',
    '/static/..;/v1/exports',
    '/static/%2e%2e%5cv1/exports',
    'http://elsewhere.test/v1/exports;x',
    'http://elsewhere.test\\v1\\exports',
    '//elsewhere.test/v1/exports',
    '///elsewhere.test/v1/exports',
    '/\\elsewhere.test/v1/exports',
    '/v1/x//../../exports',
    '/v1/exports//..',
    '/v1/x/.../../../exports',
    '/v1/x/%20/../../exports',
    '/v1/%2e%2e/v1/x/%09/../../exports',
    '/v1/x/;a/../../exports',
    '/v1/exports%3fa=1',
    '/v1/exports%23a',
    '/v1/ex\tports',
  ])
    it(`${target} counts as an export`, () => assert.equal(groupOf(target, 'GET'), 'export'));

  it('have nameless segments where a name is expected, which some servers take for one', () => {
    for (const name of ['...', '%20', ';a', '. .'])
      assert.equal(groupOf(`/v1/exports/${name}/parts`, 'GET'), 'parts', name);
  });

  it('cost no more than others where marks are piled up', () => {
    const target = `/v1/${'a\u0301\u0316'.repeat(3)}${'\u0301\u0316'.repeat(30_000)}`;
    assert.equal(groupOf(target, 'GET'), 'read');
  });

  it('have parameters of a path that stay what they are', () => {
    assert.equal(groupOf('/v1/exports/a%2Fb/parts', 'GET'), 'parts');
    assert.equal(groupOf('/v1/exports/a%20b/parts', 'GET'), 'parts');
    assert.equal(groupOf('/v1/exports/7', 'GET'), 'read');
    assert.equal(groupOf('/static/a.b/c%20d', 'GET'), 'static');
  });

  it('count to the strictest group, whatever the order of the policy', () => {
    const turned = [...(policy.routeGroups ?? [])].reverse();
    const found = createRouteGroups(turned, strictnessOf(policy))('/static/..%2fv1/exports', 'POST');
    assert.equal(found, 'export');
    const byCost: Policy = {
      ...policy,
      defaults: [{ ...rule('all', 10), cost: { unit: 'requests', byRoute: { static: 50, read: 2 } } }],
    };
    const dearest = createRouteGroups(policy.routeGroups ?? [], strictnessOf(byCost));
    assert.equal(dearest('/static/..%2fv1/exports', 'GET'), 'static');
  });

  const letter = (character: string): fc.Arbitrary<string> => {
    const code = character.charCodeAt(0);
    const hex = code.toString(16);
    const overlong = `%${(0xc0 | (code >> 6)).toString(16)}%${(0x80 | (code & 0x3f)).toString(16)}`;
    const [wide, double] = [String.fromCharCode(code + 0xfee0), `%25${hex}`];
    return fc.oneof(
      { weight: 6, arbitrary: fc.constant(character) },
      fc.constantFrom(
        character.toUpperCase(),
        `%${hex}`,
        `%${hex.toUpperCase()}`,
        double,
        `%u00${hex}`,
        overlong,
        wide,
      ),
    );
  };
  const end = fc.oneof(
    { weight: 4, arbitrary: fc.constant('') },
    fc.constantFrom(';', ';a=b', '%3b', '.', '..;', '%20', '%2e', '. ', '%09', '+', '%2520', '.%20', '%00'),
  );
  const separator = fc.oneof(
    { weight: 4, arbitrary: fc.constant('/') },
    fc.constantFrom(
      '//',
      '/./',
      '/;/',
      '/.;a/',
      '%2f',
      '%2F',
      '\\',
      '%5c',
      '%252f',
      '%c0%af',
      '／',
      '/x/../',
      '/x/..;/',
      '/y%2f..%2f',
    ),
  );
  const segment = (name: string) =>
    fc.tuple(fc.tuple(...[...name].map(letter)), end).map(([letters, more]) => letters.join('') + more);
  const spelling = fc
    .tuple(
      separator,
      segment('v1'),
      separator,
      segment('exports'),
      fc.constantFrom('', '/', '/.', '//', '?q', ';p/', '/;q'),
    )
    .map((parts) => parts.join(''))
    .map((path) => (path.startsWith('/') ? path : `/${path}`));

  it('count as what they spell, however they are mixed', () =>
    fc.assert(
      fc.property(spelling, (target) => assert.equal(groupOf(target, 'GET'), 'export', target)),
      { numRuns: 5_000 },
    ));

  it('take bounded time', () => {
    const started = performance.now();
    for (const target of [
      '/%25'.repeat(2_000),
      '/..;'.repeat(2_000),
      `/${'%c0'.repeat(2_700)}`,
      `/${'.'.repeat(8_000)}/`,
      `/${' .'.repeat(4_000)}x`,
    ])
      groupOf(target, 'GET');
    assert.ok(performance.now() - started < 2_000);
  });
});
