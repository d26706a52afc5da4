import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Weight } from '../../../../packages/ratelimit/src/decision/decision';
import { checkWeight, costOf, createCostModels } from '../../../../packages/ratelimit/src/decision/request-cost';
import type { Cost } from '../../../../packages/ratelimit/src/policy/policy';

const costs = (cost: Cost, weight: Weight, dimensions = {}) => costOf(createCostModels(cost)(dimensions), weight);
const large = fc.integer({ min: 0, max: 2 ** 40 });
const few = fc.integer({ min: 0, max: 50 });
const tools = fc.dictionary(fc.constantFrom('search', 'code', 'other'), few);

const ceiling = (amount: bigint, parts: bigint): bigint => amount / parts + (amount % parts === 0n ? 0n : 1n);
const bounded = (cost: bigint): number => Number(cost > 2n ** 52n ? 2n ** 52n : cost);

describe('the cost of a request', () => {
  const examples: readonly (readonly [Cost, Weight, number])[] = [
    [{ unit: 'requests' }, {}, 1],
    [{ unit: 'requests' }, { requests: 5 }, 5],
    [{ unit: 'requests', byRoute: { export: 10 } }, { requests: 2 }, 20],
    [{ unit: 'requests', byRoute: { other: 10 } }, {}, 1],
    [{ unit: 'concurrent-requests' }, {}, 1],
    [{ unit: 'bytes' }, {}, 0],
    [{ unit: 'bytes', per: 1_024 }, { bytes: 1_024 }, 1],
    [{ unit: 'bytes', per: 1_024 }, { bytes: 1_025 }, 2],
    [{ unit: 'tokens' }, { inputTokens: 3, outputTokens: 4 }, 7],
    [{ unit: 'input-tokens' }, { inputTokens: 3, outputTokens: 4 }, 3],
    [{ unit: 'output-tokens' }, { inputTokens: 3, outputTokens: 4 }, 4],
    [{ unit: 'tokens', byModel: { Big: 1_500 } }, { inputTokens: 1, outputTokens: 2 }, 5],
    [{ unit: 'tokens', cachedInput: 100 }, { inputTokens: 100, cachedInputTokens: 90, outputTokens: 0 }, 19],
    [{ unit: 'tokens', cachedInput: 0 }, { inputTokens: 10, cachedInputTokens: 99, outputTokens: 0 }, 0],
    [{ unit: 'tokens', byTool: { search: 30 } }, { inputTokens: 1, outputTokens: 0, tools: { search: 2, x: 9 } }, 61],
    [{ unit: 'tokens' }, { inputTokens: 1 }, 4_097],
    [{ unit: 'tokens', outputWhenUnknown: { default: 9 } }, { inputTokens: 1 }, 10],
    [{ unit: 'tokens', outputWhenUnknown: { default: 9, BIG: 2 } }, { inputTokens: 1 }, 3],
    [{ unit: 'output-tokens', outputWhenUnknown: { default: 9 } }, {}, 0],
    [{ unit: 'input-tokens', outputWhenUnknown: { default: 9 } }, { inputTokens: 1 }, 1],
  ];
  for (const [cost, weight, expected] of examples)
    it(`${JSON.stringify(weight)} at ${JSON.stringify(cost)} is ${expected}`, () =>
      assert.equal(costs(cost, weight, { route: 'export', model: 'big' }).cost, expected));

  it('is exact, however large its parts are', () =>
    fc.assert(
      fc.property(
        fc.tuple(large, large, large, tools),
        fc.record({
          per: fc.integer({ min: 1, max: 2 ** 40 }),
          factor: large,
          cachedInput: fc.integer({ min: 0, max: 1_000 }),
          search: large,
        }),
        ([inputTokens, cachedInputTokens, outputTokens, used], { per, factor, cachedInput, search }) => {
          const cost = { unit: 'tokens', per, byModel: { m: factor }, cachedInput, byTool: { search } } as const;
          const cached = BigInt(Math.min(inputTokens, cachedInputTokens));
          const input = (BigInt(inputTokens) - cached) * 1_000n + cached * BigInt(cachedInput);
          const written = (input + BigInt(outputTokens) * 1_000n) * BigInt(factor);
          const all = written + BigInt(search) * BigInt(used.search ?? 0) * 1_000_000n;
          const weight = { inputTokens, cachedInputTokens, outputTokens, tools: used };
          const found = costs(cost, weight, { model: 'M' });
          assert.equal(found.cost, bounded(ceiling(all, 1_000_000n * BigInt(per))));
          assert.equal(found.minCost, found.cost);
        },
      ),
    ));

  it('is no less for more', () =>
    fc.assert(
      fc.property(fc.tuple(large, large), fc.tuple(few, few), ([inputTokens, outputTokens], [input, output]) => {
        const cost = { unit: 'tokens', per: 7, byModel: { m: 333 } } as const;
        const one = costs(cost, { inputTokens, outputTokens }, { model: 'm' });
        const more = { inputTokens: inputTokens + input, outputTokens: outputTokens + output };
        assert.ok(costs(cost, more, { model: 'm' }).cost >= one.cost);
      }),
    ));

  it('has a least of what is known for sure', () =>
    assert.deepEqual(costs({ unit: 'tokens', outputWhenUnknown: { default: 50 } }, { inputTokens: 7 }), {
      cost: 57,
      minCost: 7,
    }));

  it('is of no tool that only its name makes one', () =>
    assert.equal(
      costs({ unit: 'tokens', byTool: { toString: 5, constructor: 5 } }, { inputTokens: 0, outputTokens: 0, tools: {} })
        .cost,
      0,
    ));

  it('is refused of what is no weight', () => {
    for (const value of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 40 + 1, '1'])
      for (const name of ['requests', 'bytes', 'inputTokens', 'cachedInputTokens', 'outputTokens'])
        assert.throws(() => checkWeight({ [name]: value } as Weight), /whole number/);
    assert.throws(() => checkWeight({ tools: { search: -1 } }), /whole number/);
    checkWeight({ requests: 0, bytes: 2 ** 40, outputTokens: undefined } as unknown as Weight);
  });
});
