import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { addressPrefix } from '../../../../packages/ratelimit/src/address-prefix';
import { type Dimensions, keyOf } from '../../../../packages/ratelimit/src/policy/dimensions';

const by = ['tenant', 'user', 'route'] as const;
const value = fc.oneof(fc.string({ maxLength: 300 }), fc.constantFrom('', '-', 'a', 'a:b', '1:a', '+a', undefined));
const callers: fc.Arbitrary<Dimensions> = fc.record({ tenant: value, user: value, route: value });
const keyFor = (dimensions: Dimensions): string => keyOf(by, dimensions);
const plain = ({ tenant, user, route }: Dimensions): string =>
  JSON.stringify([tenant, user, route].map((one) => one?.normalize('NFC') ?? null));

describe('the key of a limit', () => {
  it('is one for one caller, and another for every other', () =>
    fc.assert(
      fc.property(callers, callers, (one, other) => {
        // A text that is not well-formed Unicode is hashed in a replaced form, so it cannot be distinguished.
        fc.pre([...Object.values(one), ...Object.values(other)].every((text: unknown) => String(text).isWellFormed()));
        assert.equal(keyFor(one) === keyFor(other), plain(one) === plain(other));
      }),
      { numRuns: 2_000 },
    ));

  it('is as long for every caller', () =>
    fc.assert(fc.property(callers, (one) => assert.equal(keyFor(one).length, keyFor({}).length))));

  it('lies with the others of its tenant, so that one script sees them all', () => {
    const tagIn = (key: string): string | undefined => /\{.+\}/.exec(key)?.[0];
    const one = keyOf(['tenant', 'user'], { tenant: 'acme', user: 'u' });
    const other = keyOf(['tenant', 'route'], { tenant: 'acme', route: 'r' });
    assert.equal(tagIn(one), tagIn(other));
    assert.notEqual(tagIn(one), tagIn(keyOf(['tenant', 'user'], { tenant: 'other', user: 'u' })));
  });

  it('tells apart by what callers are known, whatever they are called', () =>
    assert.notEqual(keyOf(['user'], { user: 'one' }), keyOf(['device'], { device: 'one' })));

  it('knows a model and a method however they are written', () => {
    const by = ['method', 'model'] as const;
    assert.equal(keyOf(by, { method: 'post', model: 'Large' }), keyOf(by, { method: 'POST', model: 'large' }));
  });
});

describe('an address', () => {
  const examples: readonly (readonly [string, string])[] = [
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::ffff:c000:207', '192.0.2.7'],
    ['0:0:0:0:0:FFFF:192.0.2.7', '192.0.2.7'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:DB8:0:0:ffff::', '2001:db8:0:0::/64'],
    ['2001:db8:0:1::1', '2001:db8:0:1::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['not one', 'unknown'],
  ];
  for (const [address, prefix] of examples)
    it(`counts ${address} as ${prefix}`, () => assert.equal(addressPrefix(address), prefix));
});
