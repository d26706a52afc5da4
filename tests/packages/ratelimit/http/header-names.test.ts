import assert from 'node:assert/strict';
import { limitHeaderNames, limitHeaders } from '../../../../packages/ratelimit/src/http/rate-limit-headers';
import type { Unit } from '../../../../packages/ratelimit/src/policy/policy';

const units = [
  'requests',
  'bytes',
  'tokens',
  'input-tokens',
  'output-tokens',
  'concurrent-requests',
] as const satisfies Unit[];

describe('what answers say of limits', () => {
  it('uses a fixed list of header names', () => {
    const limits = units.map((unit) => ({
      unit,
      limit: 10,
      remaining: 0,
      resetSeconds: 90,
      windowSeconds: 60,
      over: true,
      watched: false,
      rule: 'secret',
    }));
    const decision = { limits, turnMilliseconds: 0, policyVersion: '1', source: 'store' } as const;
    const denied = limitHeaders({ ...decision, outcome: 'deny', reason: 'limited', retryAfterSeconds: 60 });
    const degraded = limitHeaders({ ...decision, outcome: 'degrade', hint: 'use small', retryAfterSeconds: 0 });
    const names = new Set([denied, degraded].flatMap((headers) => Object.keys(headers)));
    assert.deepEqual([...names].sort(), [...limitHeaderNames].sort());
    assert.doesNotMatch(JSON.stringify([denied, degraded]), /secret/);
  });

  it('has the hint of a soft limit that is over, as headers may be', () => {
    const decision = { outcome: 'degrade', turnMilliseconds: 0, policyVersion: '1', source: 'store' } as const;
    const limit = { unit: 'requests', limit: 1, remaining: 0, resetSeconds: 1, windowSeconds: 1, rule: 'r' } as const;
    const degradeHeader = (hint?: string): string | undefined =>
      limitHeaders({
        ...decision,
        limits: [{ ...limit, over: true, watched: false }],
        retryAfterSeconds: 0,
        ...(hint === undefined ? {} : { hint }),
      })['X-RateLimit-Degrade'];
    assert.deepEqual(
      [degradeHeader(), degradeHeader('use small'), degradeHeader('50 %\r\nX: é')],
      ['yes', 'use small', '50 %25%0D%0AX: %C3%A9'],
    );
  });
});
