import assert from 'node:assert/strict';
import { isProblem } from '../../../../packages/client/src/errors';
import type { Decision } from '../../../../packages/ratelimit/src/decision/decision';
import { denialResponse } from '../../../../packages/ratelimit/src/http/denial-response';
import { failure, json, principal, stage } from '../fixture';

const limit = { unit: 'requests', limit: 5, remaining: 0, resetSeconds: 60, windowSeconds: 60 } as const;
const denied: Decision = {
  outcome: 'deny',
  reason: 'limited',
  limits: [{ ...limit, over: true, watched: false, rule: 'a-rule' }],
  retryAfterSeconds: 12,
  turnMilliseconds: 0,
  policyVersion: '1',
  source: 'store',
};

const answered = (decision: Decision): Response => {
  const { status, headers, body } = denialResponse(decision);
  return json(status, body, headers);
};

describe('client: answers of limits', () => {
  it('waits as long as the limit says, then asks again, though it was no reading', async () => {
    const { client, requests, pauses } = stage([answered(denied), json(200, { jobId: '4' })]);
    await client.replayDeadLetter({ jobId: '4' });
    assert.equal(requests.length, 2);
    assert.deepEqual(pauses, [12_100]);
  });

  it('says why where it may not wait that long', async () => {
    const { client, pauses } = stage([answered(denied)]);
    const error = await failure(client.getPrincipal({ principalId: 'p-1' }, { timeoutMilliseconds: 5_000 }));
    assert.ok(isProblem(error, 'rate_limited'));
    assert.deepEqual([error.status, error.retryAfterSeconds, pauses], [429, 12, []]);
    assert.match(error.detail, /Try again in 12 seconds/);
  });

  it('asks again what may be repeated where requests cannot be counted, and never what is too large or blocked', async () => {
    const closed: Decision = { ...denied, reason: 'store-unavailable', limits: [], retryAfterSeconds: 1 };
    const { client, requests } = stage([answered(closed), json(200, principal)]);
    await client.getPrincipal({ principalId: 'p-1' });
    assert.equal(requests.length, 2);
    for (const [reason, code] of [
      ['too-large', 'request_too_large'],
      ['blocked', 'blocked'],
    ] as const) {
      const { client: other, requests: once } = stage([
        answered({ ...denied, reason, limits: [], retryAfterSeconds: 0 }),
      ]);
      assert.ok(isProblem(await failure(other.getPrincipal({ principalId: 'p-1' })), code));
      assert.equal(once.length, 1);
    }
  });
});
