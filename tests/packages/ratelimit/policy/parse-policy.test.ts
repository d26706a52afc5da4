import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { createLimiter } from '../../../../packages/ratelimit/src/decision/limiter';
import { parsePolicy } from '../../../../packages/ratelimit/src/policy/parse-policy';
import { memoryStore } from '../decision/memory-store';
import { anyPolicy } from './any-policy';
import { invalidPolicies } from './invalid-policies';

describe('a policy', () => {
  for (const [what, written, pointer] of invalidPolicies)
    it(`with ${what} is wrong at ${pointer === '' ? 'its root' : pointer}`, () => {
      const parsed = parsePolicy(written);
      assert.ok(!parsed.ok);
      assert.equal(parsed.errors[0]?.pointer, pointer);
      assert.match(parsed.errors[0].message, /\.$/);
    });

  it('is reported with all of its faults, up to a hundred', () => {
    const parsed = parsePolicy({ version: 1, defaults: Array.from({ length: 64 }, () => ({})), x: 1 });
    assert.equal(!parsed.ok && parsed.errors.length, 100);
  });

  it('is read as it was written, and a limiter opens with it', () =>
    fc.assert(
      fc.property(anyPolicy, (written) => {
        const read: unknown = JSON.parse(JSON.stringify(written));
        assert.deepEqual(parsePolicy(read), { ok: true, policy: read });
        void createLimiter({ policy: written, store: memoryStore() }).close();
      }),
    ));

  it('is answered whatever it is, and found wrong when anything strange is put into it', () =>
    fc.assert(
      fc.property(
        anyPolicy,
        fc.anything({ withBigInt: true, withNullPrototype: true }),
        fc.nat(),
        (written, strange, place) => {
          assert.equal(typeof parsePolicy(strange).ok, 'boolean');
          const places: (() => void)[] = [];
          const copy = structuredClone(written) as unknown;
          const visit = (value: unknown): void => {
            if (typeof value !== 'object' || value === null) return;
            for (const name of Object.keys(value)) {
              places.push(() => Object.assign(value, { [name]: strange }));
              visit((value as Record<string, unknown>)[name]);
            }
          };
          visit(copy);
          places[place % places.length]?.();
          const parsed = parsePolicy(copy);
          // Whatever was put in may fit there; then a limiter opens with it.
          if (parsed.ok) void createLimiter({ policy: parsed.policy, store: memoryStore() }).close();
          else
            for (const { pointer, message } of parsed.errors) assert.ok(/^(\/.*)?$/s.test(pointer) && message !== '');
        },
      ),
    ));
});
