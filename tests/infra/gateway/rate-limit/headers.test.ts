/** What requests announce of themselves is no reason to fail, whatever it is. */
import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import type { Log } from '../../../../infra/ports/runtime/log';
import { openMetrics } from '../../../../infra/server/runtime/metrics';
import { memoryStore } from '../../../../packages/ratelimit/src/store/memory-store';
import { rateLimitOf, smallGatewayPolicy } from '../../../support/gateway/small-limits';

describe('a limit at the gateway', () => {
  it('takes the largest length that is announced for a large one', async () => {
    const errors: unknown[] = [];
    const note = (...args: unknown[]): void => void errors.push(args);
    const log: Log = { debug: note, info: note, warn: note, error: note, audit: note };
    const limits = rateLimitOf(smallGatewayPolicy(9, 'blob-place'), memoryStore(), {
      log,
      metrics: openMetrics('test'),
    });
    const outcomeOf = async (length: string) => {
      const headers = { 'content-length': length };
      const request = { method: 'PUT', url: '/blobs/a', headers, socket: { remoteAddress: '192.0.2.7' } };
      return (await limits(request as unknown as IncomingMessage, {})).decision.outcome;
    };
    for (const length of ['7', String(2 ** 40), String(2 ** 41), String(Number.MAX_SAFE_INTEGER), '9'.repeat(30)])
      assert.equal(await outcomeOf(length), 'allow', length);
    assert.deepEqual(errors, []);
  });
});
