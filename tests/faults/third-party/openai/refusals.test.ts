import assert from 'node:assert/strict';
import OpenAI, { APIError } from 'openai';
import { startCountedModels } from '../../../support/gateway/counted-models';

describe("OpenAI's client, when the gateway refuses", () => {
  let gateway: Awaited<ReturnType<typeof startCountedModels>>;
  before(async () => {
    gateway = await startCountedModels();
  });
  after(() => gateway.close());

  it('reads status, type and code, whatever is wrong', async () => {
    const client = (apiKey: string) => new OpenAI({ baseURL: gateway.baseUrl, apiKey, maxRetries: 0 });
    const errorOf = async (answer: Promise<unknown>): Promise<unknown> => {
      const error = await answer.then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      assert.ok(error instanceof APIError);
      assert.match(error.message, new RegExp(`^${error.status} [A-Z].*\\.$`));
      return [error.status, error.type, error.code];
    };
    const messages = [{ role: 'user' as const, content: 'x' }];
    const chat = (apiKey: string, most: number) =>
      client(apiKey).chat.completions.create({ model: 'm', messages, max_tokens: most });
    const good = gateway.bearer();
    assert.deepEqual(await errorOf(chat('no-token', 1)), [401, 'invalid_request_error', 'unauthenticated']);
    assert.deepEqual(await errorOf(client(good).files.list().asResponse()), [
      404,
      'invalid_request_error',
      'not-found',
    ]);
    assert.deepEqual(await errorOf(chat(good, 200_000)), [413, 'invalid_request_error', 'request_too_large']);
    gateway.models.answers((response) => void response.destroy());
    const [status, type] = (await errorOf(chat(good, 1))) as readonly unknown[];
    assert.deepEqual([status, type], [503, 'server_error']);
  });
});
