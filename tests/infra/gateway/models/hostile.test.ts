import assert from 'node:assert/strict';
import { createLimiter } from '../../../../packages/ratelimit/src/decision/limiter';
import type { Policy } from '../../../../packages/ratelimit/src/policy/policy';
import { memoryStore } from '../../../../packages/ratelimit/src/store/memory-store';
import { respondWithUsage, usageFields } from '../../../support/gateway/fake-models';
import { assertRefused } from '../../../support/gateway/gateway-services';
import { startModelsGateway } from '../../../support/gateway/models-gateway';
import { sendRawRequest } from '../../../support/http/http-service';
import { deferred } from '../../../support/waiting/deferred';
import { eventually } from '../../../support/waiting/eventually';

const policy: Policy = {
  version: 'test',
  defaults: [
    {
      name: 'tokens',
      by: ['tenant'],
      limit: { algorithm: 'token-bucket', limit: 10_000, burst: 10_000, periodMilliseconds: 1_000 },
      cost: { unit: 'tokens' },
      onStoreError: 'deny',
    },
  ],
};
const chatRequest = { model: 'm', messages: [], max_tokens: 1 };
const chat = '/v1/chat/completions';

describe('the way to models, and who should not go it', () => {
  const limiter = createLimiter({ policy, store: memoryStore() });
  let gateway: Awaited<ReturnType<typeof startModelsGateway>>;
  before(async () => {
    gateway = await startModelsGateway({ limiter, bodies: { each: 100_000, together: 200_000 } });
    gateway.models.answers(respondWithUsage(usageFields(1, 1)));
  });
  after(async () => {
    await gateway.close();
    await limiter.close();
  });
  afterEach('nothing of it reaches the service', () => {
    assert.equal(gateway.models.requests.splice(0).length, 0);
  });

  it('asks who it is, and for what', async () => {
    const bare = await fetch(`${gateway.baseUrl}/chat/completions`, { method: 'POST', body: '{}' });
    await assertRefused(bare, 401, 'unauthenticated');
    const other = { authorization: `Bearer ${gateway.token()}` };
    assert.equal((await gateway.send(chat, chatRequest, { headers: other })).status, 403);
  });
  it('leads to what generates, and nowhere else', async () => {
    for (const path of ['/v1/files', '/v1/responses/resp_1', '/v1/chat', '/', '/v1/chat/completions/', '/v1/batches'])
      await assertRefused(await gateway.send(path, chatRequest), 404, 'not-found');
    for (const path of ['a/b/c/d', 'a%2f..', '']) assert.match(await raw(`/llm/v1/models/${path}`), /^HTTP\/1\.1 404/);
    for (const path of ['..', '../files', '.', 'a/../../files', '%2e%2e/files'])
      assert.match(await raw(`/llm/v1/models/${path}`), /^HTTP\/1\.1 400/);
    await assertRefused(await gateway.send('/v1/models', chatRequest), 405, 'method-not-allowed');
    const answer = await assertRefused(
      await fetch(`${gateway.baseUrl}/embeddings`, { headers: { authorization: `Bearer ${gateway.bearer()}` } }),
      405,
      'method-not-allowed',
    );
    assert.equal(answer.headers.get('allow'), 'POST');
  });
  const raw = (target: string): Promise<string> => {
    const head = `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n`;
    return sendRawRequest(gateway.port, `${head}Authorization: Bearer ${gateway.bearer()}\r\n\r\n`);
  };
  it('takes JSON that means one thing', async () => {
    const twice = '{"model":"m","max_tokens":1,"max_tokens":100000}';
    for (const body of [twice, '{', '', '[', `${'['.repeat(99)}${']'.repeat(99)}`, '[]', '"x"', 'null', '7'])
      await assertRefused(await gateway.send(chat, body), 400, 'malformed-body');
    for (const headers of [{ 'content-type': 'text/plain' }, { 'content-encoding': 'gzip' }] as Record<
      string,
      string
    >[])
      await assertRefused(await gateway.send(chat, chatRequest, { headers }), 415, 'unsupported-media-type');
  });
  it('takes bodies of some length, also when that is not said', async () => {
    const large = JSON.stringify({ ...chatRequest, user: 'x'.repeat(100_000) });
    await assertRefused(await gateway.send(chat, large), 413, 'body-too-large');
    const body = new ReadableStream({
      pull: (controller) => controller.enqueue(Buffer.alloc(16_384, 0x20)),
    });
    const sent = { body, duplex: 'half' } as RequestInit;
    await assertRefused(await gateway.send(chat, '', sent), 413, 'body-too-large');
  });
  it('says of what no wait helps that it does not, once and for all', async () => {
    for (const most of [10_001, 2 ** 52]) {
      const answer = await gateway.send(chat, { ...chatRequest, max_tokens: most, n: 2 ** 52 });
      assert.deepEqual([answer.status, answer.headers.get('retry-after')], [413, null]);
      const { error, message, ...more } = (await answer.json()) as Record<string, unknown>;
      const expected = { message, type: 'invalid_request_error', param: null, code: 'request_too_large' };
      assert.deepEqual([error, typeof message, more], [expected, 'string', {}]);
    }
  });
  it('is not taken for another by names of members', async () => {
    const body = '{"__proto__":{"max_tokens":1},"constructor":{"prototype":{}},"max_tokens":99999,"model":"m"}';
    assert.equal((await gateway.send(chat, body)).status, 413);
  });
});

describe('the way to models, when much is sent at once', () => {
  it('has room for so much, which is free again when answers are over', async () => {
    const limiter = createLimiter({ policy, store: memoryStore() });
    const gateway = await startModelsGateway({ limiter, bodies: { each: 60_000, together: 100_000 } });
    const release = deferred();
    gateway.models.answers(async (response, one) => {
      await release.promise;
      await respondWithUsage(usageFields(1, 1))(response, one);
    });
    const large = { ...chatRequest, user: 'x'.repeat(55_000) };
    const first = gateway.send(chat, large);
    await eventually(async () => assert.equal(gateway.models.requests.length, 1));
    await assertRefused(await gateway.send(chat, large), 503, 'service-unavailable');
    release.resolve();
    assert.equal((await first).status, 200);
    await (await first).text();
    await eventually(async () => assert.equal((await gateway.send(chat, large)).status, 200));
    await gateway.close();
    await limiter.close();
  });
});

describe('the way to models that cannot be reached', () => {
  it('says so, and when to come back', async () => {
    const limiter = createLimiter({ policy, store: memoryStore() });
    const gateway = await startModelsGateway({ limiter, url: () => 'http://127.0.0.1:1' });
    const answer = await assertRefused(await gateway.send(chat, chatRequest), 503, 'service-unavailable');
    assert.equal(answer.headers.get('retry-after'), '1');
    await gateway.close();
    await limiter.close();
  });
});
