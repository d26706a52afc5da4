import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import { openModelProxy } from '../../../../infra/gateway/composition/models';
import { type Config, config } from '../../../../infra/gateway/config';
import { type Environment, loadConfig } from '../../../../infra/server/runtime/config';
import { openMetrics } from '../../../../infra/server/runtime/metrics';
import { createShutdownSteps } from '../../../../infra/server/runtime/shutdown';
import { useTemporaryDirectory } from '../../../support/files/temporary-directory';
import { contentEvent, startEventStream, startFakeModels } from '../../../support/gateway/fake-models';
import { startGatewayWithServices } from '../../../support/gateway/gateway-services';
import { capturedLog } from '../../../support/http/http-service';
import { gatewayVariables } from '../../../support/http/internal-keys';

const plain = {
  ...gatewayVariables,
  PUBLIC_URL: 'http://septet.test',
  ISSUER: 'http://septet.test',
  COMMANDS_URL: 'http://127.0.0.1:1',
  READ_API_URL: 'http://127.0.0.1:1',
};
const load = (env: Environment) => loadConfig(config, { ...plain, ...env });
const configOf = (env: Environment): Config => {
  const loaded = load(env);
  return isLeft(loaded) ? assert.fail(JSON.stringify(loaded.left)) : loaded.right;
};

describe('the gateway’s configuration of model services', () => {
  const log = capturedLog();
  const context = { log, metrics: openMetrics('gateway') } as never;
  const directory = useTemporaryDirectory('models');

  it('is not there where no service is named', () => {
    assert.equal(
      openModelProxy({ config: configOf({}), context, closing: createShutdownSteps(log) }, {} as never),
      undefined,
    );
  });
  it('is refused by the variable that is wrong', () => {
    const wrong = {
      MODELS_URL: 'models',
      MODELS_POLICY: '{"version":"1","defaults":[{"name":"a"}]}',
      MODELS_BODY_LIMIT: '33554433',
    };
    for (const [variable, value] of Object.entries(wrong)) {
      const loaded = load({ [variable]: value });
      assert.ok(isLeft(loaded) && loaded.left.every((fault) => fault.variable.startsWith(variable)));
    }
    for (const bytes of ['gpt', 'gpt=', 'gpt=0', 'gpt=0.0', '=4', 'gpt=x', 'gpt=-1', 'gpt=1e9'])
      assert.ok(isLeft(load({ MODELS_BYTES_PER_TOKEN: bytes })), bytes);
  });
  it('is opened with an account of ours, the limits that hold by default, and closed when all is settled', async () => {
    const models = await startFakeModels();
    const keyFile = join(directory, 'key');
    writeFileSync(keyFile, 'account-key\n');
    const values = configOf({ MODELS_URL: models.url, MODELS_KEY_FILE: keyFile, MODELS_BYTES_PER_TOKEN: 'm*=1,x=2' });
    const closing = createShutdownSteps(log);
    const opened = { config: values, context, closing };
    const gateway = await startGatewayWithServices({
      models: (parts) => openModelProxy(opened, parts) ?? assert.fail(),
    });
    models.answers((response) => void startEventStream(response).end(contentEvent('Yes.')));
    const answer = await fetch(`${gateway.url}/llm/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${gateway.token({ scopes: ['models:use'] })}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ model: 'm1', messages: [{ role: 'user', content: 'x'.repeat(985) }], max_tokens: 96 }),
    });
    assert.match(await answer.text(), /Yes/);
    assert.equal(models.last()?.headers.authorization, 'Bearer account-key');
    const { headers } = answer;
    assert.equal(headers.get('x-ratelimit-limit-requests'), '250');
    // A byte a token of that model.
    assert.equal(headers.get('x-ratelimit-remaining-tokens'), String(200_000 - 1_000 - 4 - 96));
    await gateway.close();
    assert.ok(await closing.close());
    await models.close();
  });
});
