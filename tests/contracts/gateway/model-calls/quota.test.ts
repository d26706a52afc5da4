/** A quota of tokens at the gateway: it goes on from what is recorded, and is recorded. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { isLeft } from 'fp-ts/Either';
import { openModelProxy } from '../../../../infra/gateway/composition/models';
import { openQuotaUsage } from '../../../../infra/gateway/composition/quota-usage';
import { type Config, config } from '../../../../infra/gateway/config';
import { loadConfig } from '../../../../infra/server/runtime/config';
import { openMetrics } from '../../../../infra/server/runtime/metrics';
import { createShutdownSteps } from '../../../../infra/server/runtime/shutdown';
import { startFakeModels } from '../../../support/gateway/fake-models';
import { startGatewayWithServices } from '../../../support/gateway/gateway-services';
import { capturedLog } from '../../../support/http/http-service';
import { gatewayVariables, signer } from '../../../support/http/internal-keys';
import { valkeyForTests } from '../../../support/servers/shared-servers';
import { eventually } from '../../../support/waiting/eventually';
import { startUsageLog } from '../../ratelimit/service/usage-log';

const policyOf = (name: string): string =>
  JSON.stringify({
    version: '1',
    defaults: [
      {
        name,
        by: ['tenant'],
        limit: { algorithm: 'quota', limit: 1_000, per: 'month' },
        cost: { unit: 'tokens' },
        onStoreError: 'deny',
      },
    ],
  });

const configOf = (env: Readonly<Record<string, string>>): Config => {
  const plain = { ...gatewayVariables, PUBLIC_URL: 'http://septet.test', ISSUER: 'http://septet.test' };
  const loaded = loadConfig(config, { ...plain, ...env });
  return isLeft(loaded) ? assert.fail(JSON.stringify(loaded.left)) : loaded.right;
};

describe('a monthly quota of models', () => {
  it('goes on from what is recorded of it, and what is used is recorded for the tenant', async () => {
    const [log, models, kept] = [await startUsageLog(900), await startFakeModels(), capturedLog()];
    const values = configOf({
      COMMANDS_URL: log.url,
      READ_API_URL: log.url,
      REDIS_URL: (await valkeyForTests()).url,
      MODELS_URL: models.url,
      MODELS_POLICY: policyOf(randomUUID()),
    });
    const closing = createShutdownSteps(kept);
    const opened = { config: values, closing, context: { log: kept, metrics: openMetrics('gateway') } as never };
    const counts = openQuotaUsage(opened, signer);
    assert.ok(counts);
    const gateway = await startGatewayWithServices({
      models: (parts) => openModelProxy(opened, { ...parts, counts }) ?? assert.fail(),
    });
    models.answers((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ usage: { prompt_tokens: 10, completion_tokens: 20 } }));
    });
    const completionStatus = async (most: number): Promise<number> => {
      const answer = await fetch(`${gateway.url}/llm/v1/chat/completions`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${gateway.token({ scopes: ['models:use'] })}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ model: 'm', messages: [], max_tokens: most }),
      });
      await answer.arrayBuffer();
      return answer.status;
    };
    // Of a machine that is busy, the store may answer too late: then the rule closes.
    await eventually(async () => assert.equal(await completionStatus(101), 429));
    await eventually(async () => assert.equal(await completionStatus(90), 200));
    await gateway.close();
    assert.ok(await closing.close());
    const total = log.recorded.reduce((sum, { amount }) => sum + amount, 0);
    assert.deepEqual([...new Set(log.recorded.map(({ tenant }) => tenant))], ['acme']);
    assert.equal(total, 30, JSON.stringify(log.recorded));
    await Promise.all([models.close(), log.close()]);
  });

  it('is not looked for where no policy has one', () => {
    const env = {
      COMMANDS_URL: 'http://127.0.0.1:1',
      READ_API_URL: 'http://127.0.0.1:1',
      REDIS_URL: 'redis://127.0.0.1:1',
    };
    const closing = createShutdownSteps(capturedLog());
    assert.equal(openQuotaUsage({ config: configOf(env), closing, context: {} as never }, signer), undefined);
  });
});
