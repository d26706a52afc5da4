import assert from 'node:assert/strict';
import { chatRequest, chatRequestTokens, startCountedModels, textOf } from '../../../support/gateway/counted-models';
import {
  contentEvent,
  respondWithUsage,
  sseEvent,
  startEventStream,
  usageFields,
} from '../../../support/gateway/fake-models';

describe('the way to models', () => {
  let gateway: Awaited<ReturnType<typeof startCountedModels>>;
  before(async () => {
    gateway = await startCountedModels();
  });
  after(() => gateway.close());

  it('calls the service with our account, which it never reveals', async () => {
    gateway.models.answers(respondWithUsage(usageFields(10, 5)));
    const sent = { 'openai-organization': 'org-1', 'x-forwarded-for': '1.2.3.4', cookie: 'a=b', 'openai-beta': 'x=y' };
    const answer = await gateway.chat({}, { headers: sent });
    assert.equal(answer.status, 200);
    assert.equal(((await answer.json()) as { id: string }).id, 'c-1');
    const { path, headers, body } = gateway.models.last() ?? assert.fail();
    assert.deepEqual([path, body], ['/base/v1/chat/completions', chatRequest]);
    assert.equal(headers.authorization, 'Bearer upstream-key');
    assert.equal(headers['x-request-id'], answer.headers.get('x-request-id'));
    assert.equal(headers['openai-beta'], 'x=y');
    for (const name of ['cookie', 'openai-organization', 'x-forwarded-for', 'septet-identity'])
      assert.equal(headers[name], undefined);
  });
  it('says what is left, and counts what an answer says it used', async () => {
    gateway.models.answers((response, one) => {
      response.setHeader('x-ratelimit-remaining-tokens', 'ours, not yours');
      response.setHeader('set-cookie', 'a=b');
      return respondWithUsage(usageFields(90, 60))(response, one);
    });
    await gateway.costs(async () => {
      const { headers } = await gateway.chat();
      assert.match(headers.get('ratelimit-policy') ?? '', /"tokens";q=100000;/);
      assert.match(headers.get('x-ratelimit-remaining-tokens') ?? '', /^\d+$/);
      assert.match(headers.get('x-ratelimit-remaining-requests') ?? '', /^\d+$/);
      assert.equal(headers.get('set-cookie'), null);
    }, 150);
  });
  /** How often the policy alone estimated the tokens of an answer. */
  const policysOwn = async (): Promise<number> =>
    Number(
      /^gateway_models_estimates_total\{source="policy"[^}]*\} (\d+)$/m.exec(await gateway.metrics.text())?.[1] ?? 0,
    );
  it('charges several answers separately, and keeps the reservation if usage is unknown', async () => {
    gateway.models.answers(
      (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
    );
    await gateway.costs(() => textOf(gateway.chat({ n: 3 })), chatRequestTokens + 3_000);
    const estimated = await policysOwn();
    await gateway.costs(() => textOf(gateway.chat({ max_tokens: undefined })), chatRequestTokens + 500);
    await gateway.costs(() => textOf(gateway.chat({ max_tokens: undefined, n: 4 })), chatRequestTokens + 2_000);
    assert.equal(await policysOwn(), estimated + 2);
  });
  it('counts a stream by its bytes where it does not say, and passes it on as it is', async () => {
    const all = [contentEvent('Hello '), contentEvent('you!!!'), sseEvent('[DONE]')];
    gateway.models.answers((response) => void startEventStream(response).end(all.join('')));
    await gateway.costs(
      async () => assert.equal(await textOf(gateway.chat({ stream: true })), all.join('')),
      chatRequestTokens + 3,
    );
    const withUsage = [...all, sseEvent({ choices: [], usage: usageFields(7, 9) })];
    gateway.models.answers((response) => void startEventStream(response).end(withUsage.join('')));
    await gateway.costs(() => textOf(gateway.chat({ stream: true })), 16);
  });
});
