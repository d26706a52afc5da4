/** How descriptors of an Envoy become questions. */
import assert from 'node:assert/strict';
import {
  createKeyMeanings,
  createLimitRequest,
  decodeDescriptor,
  groupDescriptors,
  isKeyMeaning,
  weightOfHits,
} from '../../../infra/ratelimit/envoy/descriptors';
import { createLimitOverrides, periodMillisecondsOf } from '../../../infra/ratelimit/envoy/limit-overrides';
import { type Descriptor, periodOf, unitSeconds } from '../../../infra/ratelimit/envoy/messages';
import { unavailableStore } from '../../../infra/ratelimit/service/unavailable-store';
import { createLimiter } from '../../../packages/ratelimit/src/decision/limiter';

const keys = createKeyMeanings(['x-team=project', 'generic_key=model']);
const descriptor = (entries: Readonly<Record<string, string>>, more: Partial<Descriptor> = {}): Descriptor => ({
  entries: Object.entries(entries).map(([key, value]) => ({ key, value })),
  isNegative: false,
  ...more,
});
const decoded = (entries: Readonly<Record<string, string>>, more: Partial<Descriptor> = {}, hits = 0) =>
  decodeDescriptor(descriptor(entries, more), keys, hits);

describe('descriptors of an Envoy', () => {
  it('are dimensions by the usual keys, and by those that are configured', () => {
    const question = decoded({ user_id: 'u', masked_remote_address: '10.0.0.0/24', 'x-team': 't', generic_key: 'gpt' });
    assert.ok(question !== undefined);
    assert.deepEqual(createLimitRequest(question, 'apis'), {
      dimensions: { user: 'u', ip: '10.0.0.0', project: 't', model: 'gpt', tenant: 'apis' },
    });
  });

  it('name their tenant, or are of the domain’s', () => {
    const tenantOf = (entries: Readonly<Record<string, string>>) => {
      const question = decoded(entries);
      return question === undefined ? undefined : createLimitRequest(question, 'apis').dimensions.tenant;
    };
    assert.deepEqual([tenantOf({ tenant: 'acme' }), tenantOf({ user: 'x' })], ['acme', 'apis']);
  });

  it('are for no limit when a key means nothing, contradicts another, or counts nothing that is known', () => {
    assert.equal(decoded({ header_match: 'x', user: 'u' }), undefined);
    assert.equal(decoded({ user: 'u', user_id: 'other' }), undefined);
    assert.equal(decoded({ unit: 'apples' }), undefined);
    assert.equal(decoded({ unit: 'constructor' }), undefined);
  });

  it('weigh what they say, else what the request says, else one', () => {
    assert.deepEqual(
      [decoded({ user: 'u' })?.hits, decoded({ user: 'u' }, {}, 5)?.hits, decoded({ user: 'u' }, { hits: 0 }, 5)?.hits],
      [1, 5, 0],
    );
    const tokens = decoded({ unit: 'used-output-tokens' });
    assert.deepEqual(tokens && weightOfHits(tokens, 9), { requests: 0, bytes: 0, inputTokens: 0, outputTokens: 9 });
  });

  it('are one question unless they contradict, weigh something else, or bring a limit', () => {
    const questions = [
      decoded({ user: 'a' }),
      decoded({ header_match: 'x' }),
      decoded({ remote_address: '::1' }),
      decoded({ user: 'b' }),
      decoded({ user: 'a', model: 'm' }, { hits: 3 }),
      decoded({ device: 'd' }, { limit: { requestsPerUnit: 1, unit: 1, multiplier: 1 } }),
      decoded({ user: 'b', region: 'eu' }),
    ];
    assert.deepEqual(
      groupDescriptors(questions).map(({ descriptorIndexes: of }) => of),
      [[0, 2], [3, 6], [4], [5]],
    );
  });

  it('may be configured as pairs of a key and what it means', () => {
    assert.deepEqual(['x=user', 'x=path', 'x=shoe', '=user', 'x', 'x=user=y'].map(isKeyMeaning), [
      true,
      true,
      ...Array(4).fill(false),
    ]);
  });
});

describe('periods as Envoy says them', () => {
  it('are none of a limit where they are longer than rules know, and else become one', () => {
    const periodOfAll = (unit: number, multiplier: number) => {
      const override = { requestsPerUnit: 1, unit, multiplier };
      const period = periodMillisecondsOf(override);
      if (period === undefined) return undefined;
      const group = { values: { user: 'u' }, hits: 1, isNegative: false, override, descriptorIndexes: [0] };
      const found = createLimitOverrides((written) =>
        createLimiter({ policy: written, store: unavailableStore }),
      ).limiterFor(group);
      return found === undefined ? undefined : period;
    };
    const day = 86_400_000;
    assert.deepEqual([periodOfAll(4, 366), periodOfAll(5, 12), periodOfAll(6, 1)], [366 * day, 360 * day, 365 * day]);
    for (const [unit, multiplier] of [
      [4, 367],
      [5, 13],
      [6, 2],
      [6, 366],
      [1, 0],
      [7, 1],
    ] as const)
      assert.equal(periodOfAll(unit, multiplier), undefined, `${unit} ${multiplier}`);
  });

  it('are so many of its units', () => {
    for (const [unit, seconds] of Object.entries(unitSeconds))
      assert.deepEqual(periodOf(seconds), { unit: Number(unit), multiplier: 1 });
    assert.deepEqual([0, 30, 90, 7_200, 604_800, 28 * 86_400, 366 * 86_400].map(periodOf), [
      { unit: 0, multiplier: 1 },
      { unit: 1, multiplier: 30 },
      { unit: 1, multiplier: 90 },
      { unit: 3, multiplier: 2 },
      { unit: 4, multiplier: 7 },
      { unit: 5, multiplier: 1 },
      { unit: 6, multiplier: 1 },
    ]);
  });
});
