/** What the limiter's process publishes: what was used of quotas, and what it decided. */
import assert from 'node:assert/strict';
import Redis from 'ioredis';
import { valkeyForTests } from '../../../support/servers/shared-servers';
import { bucket, startLimiterService } from './fixture';
import { startUsageLog } from './usage-log';

const user = (name: string) => ({ dimensions: { user: name } });

describe('quotas of the limiter', () => {
  it('are recorded with the command API in the tenant’s own name, and queried where the store has none', async () => {
    const log = await startUsageLog(98);
    const limit = { algorithm: 'quota', limit: 100, per: 'month' } as const;
    const stage = await startLimiterService({
      rules: [bucket('month', { limit })],
      env: { COMMANDS_URL: log.url, READ_API_URL: log.url },
    });
    const answers = await Promise.all([1, 2, 3].map(() => stage.post('check', user('u'))));
    assert.deepEqual(answers.map(({ body }) => body.outcome).sort(), ['allow', 'allow', 'deny']);
    await stage.close();
    assert.deepEqual(log.recorded, [{ tenant: stage.tenant, amount: 2 }]);
    await log.close();
  });
});

describe('the limiter’s reports of its decisions', () => {
  it('is in a stream, summed up by tenant and outcome, with the rules that were over', async () => {
    const stage = await startLimiterService({ rules: [bucket('told'), bucket('dry', { strictness: 'watched' })] });
    for (let attempt = 0; attempt < 5; attempt += 1)
      await stage.post('check', { ...user('u'), weight: { inputTokens: 7, outputTokens: 1 } });
    await stage.close();
    const redis = new Redis((await valkeyForTests()).url);
    const entries = await redis.xrevrange('ratelimit:decisions', '+', '-', 'COUNT', 50);
    redis.disconnect();
    const sums = entries.flatMap(([, fields]) => {
      const at = fields.indexOf('decisions');
      return JSON.parse(fields[at + 1] as string) as Record<string, unknown>[];
    });
    const own = sums.filter(({ tenant }) => tenant === stage.tenant);
    const total = (outcome: string, field: string): number =>
      own.filter((sum) => sum.outcome === outcome).reduce((all, sum) => all + Number(sum[field]), 0);
    assert.deepEqual([total('allow', 'decisions'), total('deny', 'decisions')], [3, 2]);
    assert.equal(total('allow', 'inputTokens'), 21);
    assert.deepEqual(own.find(({ outcome }) => outcome === 'deny')?.over, ['told']);
    assert.doesNotMatch(JSON.stringify(own), /"u"/);
  });
});
