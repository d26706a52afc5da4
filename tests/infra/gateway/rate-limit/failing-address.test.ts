/** Places that fail too often, as a gateway remembers them. */
import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { createCallerRegistry } from '../../../../infra/gateway/rate-limit/caller-registry';
import { createFailureLimiter } from '../../../../infra/gateway/rate-limit/failure-limiter';
import type { RateLimitResult } from '../../../../infra/gateway/rate-limit/rate-limiter';

describe('a place that fails too often', () => {
  const request = (address: string, authorization?: string) =>
    ({ socket: { remoteAddress: address }, headers: { authorization } }) as unknown as IncomingMessage;
  const limits = [
    {
      unit: 'requests',
      limit: 1,
      remaining: 0,
      resetSeconds: 90,
      windowSeconds: 60,
      over: true,
      watched: false,
      rule: 'r',
    },
  ] as const;
  const denied: RateLimitResult = {
    headers: {},
    decision: {
      outcome: 'deny',
      reason: 'limited',
      limits,
      retryAfterSeconds: 60,
      turnMilliseconds: 0,
      policyVersion: '1',
      source: 'store',
    },
  };
  const open = (most?: number) => {
    let now = 0;
    let lookups = 0;
    const failures = createFailureLimiter({
      rateLimit: async () => {
        lookups += 1;
        return denied;
      },
      callers: createCallerRegistry({ verifiedTokens: { find: () => undefined } }),
      callerRules: new Set<string>(),
      now: () => now,
      ...(most === undefined ? {} : { most }),
    });
    const fail = async (address: string): Promise<void> => {
      failures.handshakeFailed(request(address), 404);
      await new Promise(setImmediate);
    };
    const wait = (milliseconds: number): void => {
      now += milliseconds;
    };
    return { failures, fail, wait, asked: () => lookups };
  };

  it('gets the remaining time, and is admitted after exactly that', async () => {
    const { failures, fail, wait } = open();
    await fail('203.0.113.9');
    wait(20_500);
    const { headers } = failures.findThrottled(request('203.0.113.9')) ?? {};
    assert.deepEqual([headers?.['Retry-After'], headers?.['X-RateLimit-Reset']], ['40', '70']);
    wait(39_499);
    assert.equal(failures.findThrottled(request('203.0.113.9'))?.headers['Retry-After'], '1');
    wait(1);
    assert.equal(failures.findThrottled(request('203.0.113.9')), undefined);
  });

  it('is not asked about again meanwhile', async () => {
    const { fail, wait, asked } = open();
    for (let time = 0; time < 3; time += 1) await fail('203.0.113.9');
    assert.equal(asked(), 1);
    wait(60_000);
    await fail('203.0.113.9');
    assert.equal(asked(), 2);
  });

  it('lets so many a second of those through who may turn out to be good, and none who present nothing', async () => {
    const { failures, fail, wait } = open();
    await fail('203.0.113.9');
    const strangers = () =>
      Array.from({ length: 60 }, (_, index) =>
        failures.findThrottled(request('203.0.113.9', `Bearer made-up-${index}`)),
      );
    const passed = () => strangers().filter((refused) => refused === undefined).length;
    assert.equal(passed(), 50);
    assert.equal(passed(), 0);
    assert.notEqual(failures.findThrottled(request('203.0.113.9')), undefined);
    wait(1_000);
    assert.equal(passed(), 50);
  });

  it('lets no credential through that a handshake was refused with, until one succeeds', async () => {
    const { failures, fail, wait } = open();
    const proof = request('203.0.113.9', 'Runner guessed');
    failures.handshakeFailed(proof, 401);
    await fail('203.0.113.9');
    for (let second = 0; second < 3; second += 1) {
      wait(1_000);
      assert.notEqual(failures.findThrottled(proof), undefined, `probed after ${second + 1} s`);
    }
    failures.handshakeSucceeded(proof);
    assert.equal(failures.findThrottled(proof), undefined);
    failures.handshakeFailed(request('203.0.113.9', 'Runner busy'), 409);
    assert.equal(failures.findThrottled(request('203.0.113.9', 'Runner busy')), undefined, 'it was not rejected');
  });

  it('is one of so many that are remembered', async () => {
    const { failures, fail } = open(2);
    for (const last of [1, 2, 3]) await fail(`203.0.113.${last}`);
    const known = [1, 2, 3].map((last) => failures.over(request(`203.0.113.${last}`)) !== undefined);
    assert.deepEqual(known, [false, true, true]);
  });
});
