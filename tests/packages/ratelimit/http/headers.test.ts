import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { type Item, parseList } from 'structured-headers';
import { limitHeaders } from '../../../../packages/ratelimit/src/http/rate-limit-headers';
import { decision, limit } from './decisions';

describe('the headers of a decision', () => {
  it('tell of the limit that binds, of each, and what clients of models know', () =>
    assert.deepEqual(
      limitHeaders(
        decision(
          [
            limit({ over: true, remaining: 0 }),
            limit({ unit: 'tokens', limit: 1_000, remaining: 990, resetSeconds: 360 }),
            limit({ limit: 9_000, remaining: 8_000, windowSeconds: 0, resetSeconds: 3_661 }),
            limit({ unit: 'concurrent-requests', limit: 4, remaining: 3, windowSeconds: 0, resetSeconds: 9 }),
          ],
          { outcome: 'deny', reason: 'limited', retryAfterSeconds: 30 },
        ),
      ),
      {
        'X-RateLimit-Limit': '60',
        'X-RateLimit-Remaining': '0',
        'X-RateLimit-Reset': '30',
        'RateLimit-Policy':
          '"requests";q=60;w=60, "tokens";q=1000;w=60, "requests-2";q=9000, "concurrent-requests";q=4;qu="concurrent-requests"',
        RateLimit:
          '"requests";r=0;t=30, "tokens";r=990;t=360, "requests-2";r=8000;t=3661, "concurrent-requests";r=3;t=9',
        'x-ratelimit-limit-requests': '60',
        'x-ratelimit-remaining-requests': '0',
        'x-ratelimit-reset-requests': '30s',
        'x-ratelimit-limit-tokens': '1000',
        'x-ratelimit-remaining-tokens': '990',
        'x-ratelimit-reset-tokens': '6m0s',
        'Retry-After': '30',
      },
    ));

  it('tell nothing where nothing was counted, and nothing of what is only watched', () => {
    assert.deepEqual(limitHeaders(decision([])), {});
    assert.deepEqual(limitHeaders(decision([limit({ watched: true, over: true })])), {});
  });

  it('write longer times in hours', () => {
    const headers = limitHeaders(decision([limit({ resetSeconds: 3_661 })]));
    assert.equal(headers['x-ratelimit-reset-requests'], '1h1m1s');
  });

  const number = fc.oneof(fc.nat(), fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }));
  const limits = fc.array(
    fc.record({
      unit: fc.constantFrom(
        'requests' as const,
        'bytes' as const,
        'tokens' as const,
        'input-tokens' as const,
        'concurrent-requests' as const,
      ),
      limit: number,
      remaining: number,
      resetSeconds: number,
      windowSeconds: number,
      over: fc.boolean(),
      watched: fc.boolean(),
      rule: fc.constant('secret-rule'),
    }),
    { maxLength: 8 },
  );
  it('are structured fields that a parser reads, with one item of one name per limit', () =>
    fc.assert(
      fc.property(limits, (all) => {
        const headers = limitHeaders(decision(all));
        const announced = all.filter(({ watched }) => !watched);
        if (announced.length === 0) return;
        const policies = parseList(headers['RateLimit-Policy'] ?? '') as Item[];
        const states = parseList(headers.RateLimit ?? '') as Item[];
        const bounded = (value: number): number => Math.min(value, 999_999_999_999_999);
        assert.deepEqual(
          states.map(([name, parameters]) => [name, ...parameters.values()]),
          announced.map(({ remaining, resetSeconds }, index) => [
            policies[index]?.[0],
            bounded(remaining),
            bounded(resetSeconds),
          ]),
        );
        assert.deepEqual(
          policies.map(([, parameters]) => [parameters.get('q'), parameters.get('w') ?? 0]),
          announced.map(({ limit, windowSeconds }) => [bounded(limit), bounded(windowSeconds)]),
        );
        assert.equal(new Set(policies.map(([name]) => name)).size, announced.length);
        assert.equal(JSON.stringify(headers).includes('secret'), false);
      }),
    ));
});
