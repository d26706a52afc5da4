import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Dimensions } from '../../../../packages/ratelimit/src/policy/dimensions';
import { parseAddress, parseRange } from '../../../../packages/ratelimit/src/policy/ip-range';
import { createMatcher, createMatching } from '../../../../packages/ratelimit/src/policy/match-index';
import type { Match } from '../../../../packages/ratelimit/src/policy/policy';

const examples: readonly (readonly [Match, Dimensions, boolean])[] = [
  [{ tenant: ['acme'] }, { tenant: 'acme' }, true],
  [{ tenant: ['acme'] }, { tenant: 'Acme' }, false],
  [{ tenant: ['acme'] }, {}, false],
  [{ tenant: ['*'] }, {}, false],
  [{ tenant: ['*'] }, { tenant: '' }, true],
  [{ tenant: ['ac*'] }, { tenant: 'acme' }, true],
  [{ tenant: ['ac*'] }, { tenant: 'a' }, false],
  [{ model: ['GPT-*'] }, { model: 'gpt-4o' }, true],
  [{ method: ['post'] }, { method: 'POST' }, true],
  [{ tenant: ['acme'], user: ['ann', 'bob'] }, { tenant: 'acme', user: 'bob' }, true],
  [{ tenant: ['acme'], user: ['ann', 'bob'] }, { tenant: 'acme', user: 'eve' }, false],
  [{ ip: ['10.0.0.0/8'] }, { ip: '10.255.1.2' }, true],
  [{ ip: ['10.0.0.0/8'] }, { ip: '11.0.0.1' }, false],
  [{ ip: ['10.0.0.0/8'] }, { ip: '::ffff:10.1.1.1' }, true],
  [{ ip: ['::ffff:10.0.0.0/104'] }, { ip: '10.1.1.1' }, true],
  [{ ip: ['0.0.0.0/0'] }, { ip: '203.0.113.9' }, true],
  [{ ip: ['0.0.0.0/0'] }, { ip: '2001:db8::1' }, false],
  [{ ip: ['2001:db8::/32'] }, { ip: '2001:DB8:ffff::1' }, true],
  [{ ip: ['2001:db8::/32'] }, { ip: '2001:db9::1' }, false],
  [{ ip: ['192.0.2.7'] }, { ip: '192.0.2.7' }, true],
  [{ ip: ['192.0.2.7'] }, { ip: '192.0.2.8' }, false],
  [{ ip: ['0.0.0.0/0', '::/0'] }, { ip: 'not an address' }, false],
  [{ ip: ['fe80::/10'] }, { ip: 'fe80::1%eth0' }, true],
];

describe('what an entry of a policy is about', () => {
  for (const [match, dimensions, isAbout] of examples)
    it(`${JSON.stringify(match)} ${isAbout ? 'fits' : 'does not fit'} ${JSON.stringify(dimensions)}`, () => {
      assert.equal(createMatcher(match)(dimensions), isAbout);
      assert.equal(createMatching([{ match }])(dimensions).length, isAbout ? 1 : 0);
    });

  it('tells ranges of addresses as their bits do', () => {
    const bits = fc.bigInt({ min: 0n, max: 2n ** 32n - 1n });
    const dotted = (value: bigint): string => [24n, 16n, 8n, 0n].map((by) => (value >> by) & 255n).join('.');
    fc.assert(
      fc.property(bits, bits, fc.integer({ min: 0, max: 32 }), (network, address, length) => {
        const isIn = network >> BigInt(32 - length) === address >> BigInt(32 - length);
        assert.equal(createMatcher({ ip: [`${dotted(network)}/${length}`] })({ ip: dotted(address) }), isIn);
      }),
    );
  });

  it('is no range that has other digits, bits or words', () => {
    for (const text of [
      '10.0.0.0/33',
      '10.0.0/8',
      '::/129',
      '10.0.0.0/-1',
      '10.0.0.0/',
      '',
      'x',
      '::1%lo/64',
      '::/1/1',
    ])
      assert.equal(parseRange(text), undefined, text);
    assert.equal(parseAddress('1.2.3.4/8'), undefined);
  });

  const word = fc.constantFrom('a', 'b', 'ab', 'abc', 'b*', 'a*', '*');
  const range = fc.constantFrom('10.0.0.0/8', '10.1.0.0/16', '10.1.2.3', '2001:db8::/32', '2001:db8::1', '::/0');
  const match: fc.Arbitrary<Match> = fc.record(
    {
      tenant: fc.array(word, { minLength: 1, maxLength: 3 }),
      user: fc.array(word, { minLength: 1, maxLength: 3 }),
      method: fc.array(fc.constantFrom('GET', 'POST'), { minLength: 1, maxLength: 2 }),
      ip: fc.array(range, { minLength: 1, maxLength: 3 }),
    },
    { requiredKeys: [] },
  );
  const caller: fc.Arbitrary<Dimensions> = fc.record(
    {
      tenant: fc.constantFrom('', 'a', 'b', 'ab', 'abcd'),
      user: fc.constantFrom('a', 'ba'),
      method: fc.constantFrom('get', 'PUT'),
      ip: fc.constantFrom('10.1.2.3', '10.2.0.0', '2001:db8::1', '2001:db9::', 'x'),
    },
    { requiredKeys: [] },
  );
  it('is found as if every entry were compared, in the order of the policy', () =>
    fc.assert(
      fc.property(fc.array(match, { maxLength: 30 }), caller, (matches, dimensions) => {
        const all = matches.map((one, at) => ({ match: one, at }));
        assert.deepEqual(
          createMatching(all)(dimensions),
          all.filter((one) => createMatcher(one.match)(dimensions)),
        );
      }),
      { numRuns: 300 },
    ));

  it('looks at few of ten thousand entries', () => {
    const all = Array.from({ length: 10_000 }, (_, at) => ({
      match:
        at % 3 === 0
          ? { tenant: [`t${at}`], method: ['GET'] }
          : at % 3 === 1
            ? { ip: [`10.${at >> 8}.${at & 255}.0/24`] }
            : { user: [`person-${at}-*`] },
    }));
    const find = createMatching(all);
    let reads = 0;
    const of = (values: Dimensions): Dimensions =>
      new Proxy(values, {
        get: (target, name) => {
          reads += 1;
          return target[name as keyof Dimensions];
        },
      });
    const caller = { tenant: 't3000', method: 'GET', ip: '10.1.3.9', user: 'person-5000-x' };
    assert.equal(find(of(caller)).length, 3);
    assert.ok(reads < 20, `${reads} values were looked at`);
  });
});
