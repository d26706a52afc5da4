import assert from 'node:assert/strict';
import { APIError } from 'openai';
import { beginModelCall } from '../../../../packages/ratelimit/src/model-calls/model-call';
import { readModelRequest } from '../../../../packages/ratelimit/src/model-calls/model-request';
import type { Rule } from '../../../../packages/ratelimit/src/policy/policy';
import { reservationKey } from '../../../../packages/ratelimit/src/reservations/reservation-id';
import {
  contentEvent,
  respondWithError,
  respondWithUsage,
  sseEvent,
  startEventStream,
  usageFields,
} from '../../../support/gateway/fake-models';
import { deferred } from '../../../support/waiting/deferred';
import { eventually } from '../../../support/waiting/eventually';
import {
  clientOf,
  closeAll,
  limiterOf,
  messages,
  openStore,
  remainingTokens,
  requestCompletion,
  tokens,
  unrefilledBucket,
} from './fixture';

const steady: Rule['limit'] = { algorithm: 'token-bucket', limit: 700, burst: 2_000, periodMilliseconds: 1_000 };

describe("OpenAI's client, before a gateway that counts", () => {
  afterEach(closeAll);

  it('waits for the time in Retry-After, which is enough', async () => {
    const limit = { algorithm: 'token-bucket', limit: 1, burst: 2, periodMilliseconds: 2_000 } as const;
    const before = await clientOf({ name: 'requests', by: ['tenant'], limit, onStoreError: 'deny' });
    let seen: readonly number[] = [];
    while (seen[0] !== 429) {
      await requestCompletion(before);
      seen = before.statuses();
    }
    assert.deepEqual(seen, [429, 200]);
  });
  it('waits for tokens, and for what was used over what was reserved', async () => {
    const before = await clientOf(tokens(steady));
    before.models.answers(respondWithUsage(usageFields(10, 5_000)));
    await requestCompletion(before);
    await eventually(async () => {
      const answer = await before.gateway.send('/v1/chat/completions', { model: 'm', messages, max_tokens: 100 });
      assert.equal(answer.status, 429);
      const { error, message, retryAfterSeconds } = (await answer.json()) as Record<string, unknown>;
      assert.deepEqual(error, { message, type: 'tokens', param: null, code: 'rate_limit_exceeded' });
      assert.equal(String(retryAfterSeconds), answer.headers.get('retry-after'));
    });
    before.statuses();
    before.models.answers(respondWithUsage(usageFields(10, 1)));
    await requestCompletion(before);
    assert.deepEqual(before.statuses(), [429, 200]);
  });
  it('sees what was reserved come back, in the headers of the next answer', async () => {
    const before = await clientOf(tokens(unrefilledBucket));
    const whole = await remainingTokens(before);
    before.models.answers(respondWithUsage(usageFields(60, 40), 4));
    const several = await before.client.chat.completions.create({ model: 'm', messages, max_tokens: 500, n: 4 });
    assert.equal(several.choices.length, 4);
    assert.ok(whole - Number(before.answers.at(-1)?.headers.get('x-ratelimit-remaining-tokens')) > 2_000);
    await eventually(async () => assert.equal(whole - (await remainingTokens(before)), 100));
    before.models.answers(respondWithError(400));
    await assert.rejects(requestCompletion(before, 5_000), APIError);
    await eventually(async () => assert.equal(whole - (await remainingTokens(before)), 100));
  });
  it('follows streams that are settled by what they say, or by what was written', async () => {
    const before = await clientOf(tokens(unrefilledBucket));
    const whole = await remainingTokens(before);
    const stream = async (...parts: string[]): Promise<string> => {
      before.models.answers((response) => void startEventStream(response).end(parts.join('')));
      const events = await before.client.chat.completions.create({ model: 'm', messages, stream: true });
      let text = '';
      for await (const { choices } of events) text += choices[0]?.delta.content ?? '';
      return text;
    };
    const usage = sseEvent({ choices: [], usage: usageFields(20, 30) });
    assert.equal(
      await stream(contentEvent('No, '), contentEvent('it is not.'), usage, sseEvent('[DONE]')),
      'No, it is not.',
    );
    await eventually(async () => assert.equal(whole - (await remainingTokens(before)), 50));
    await stream(contentEvent('x'.repeat(4_000)), sseEvent('[DONE]'));
    await eventually(async () => assert.equal(whole - (await remainingTokens(before)), 50 + 10 + 1_000));
  });
  it('may go in the middle of a stream: what was written until then counts', async () => {
    const before = await clientOf(tokens(unrefilledBucket));
    const whole = await remainingTokens(before);
    const begun = deferred();
    before.models.answers((response) => {
      startEventStream(response).write(contentEvent('x'.repeat(4_000)), () => begun.resolve());
    });
    const events = await before.client.chat.completions.create({ model: 'm', messages, stream: true });
    for await (const { choices } of events) if (choices.length > 0) break;
    await begun.promise;
    events.controller.abort();
    await before.models.last()?.over;
    await eventually(async () => assert.equal(whole - (await remainingTokens(before)), 10 + 1_000));
  });
  it('gets an immediate error when waiting cannot help', async () => {
    const before = await clientOf(tokens(steady));
    await assert.rejects(
      requestCompletion(before, 2_001),
      (error) => error instanceof APIError && error.status === 413,
    );
    assert.deepEqual([before.statuses(), before.models.requests.length], [[413], 0]);
  });
  it('asks for answers of the other kind, and for the names of models', async () => {
    const before = await clientOf(tokens(unrefilledBucket));
    const usage = { input_tokens: 5, output_tokens: 6, total_tokens: 11 };
    before.models.answers((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ id: 'resp_1', object: 'response', output: [], usage }));
    });
    assert.equal(
      (await before.client.responses.create({ model: 'm', input: 'Hi', max_output_tokens: 9 })).id,
      'resp_1',
    );
    before.models.answers((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ object: 'list', data: [{ id: 'm', object: 'model' }] }));
    });
    const names: string[] = [];
    for await (const { id } of before.client.models.list()) names.push(id);
    assert.deepEqual(names, ['m']);
  });

  describe('with unsettled reservations', () => {
    const request = readModelRequest('chat', { model: 'm', messages, max_tokens: 1_000 });
    const dimensions = { tenant: 'acme' };
    const leftAfter = async (orphan: Rule['orphan'], remaining: number): Promise<void> => {
      const limiter = await limiterOf([tokens(unrefilledBucket, orphan)], 200);
      const left = async () => (await limiter.peek({ dimensions, weight: { outputTokens: 1 } })).limits[0]?.remaining;
      const { decision } = await beginModelCall({ limiter }, request ?? assert.fail(), { dimensions });
      const reservation = reservationKey(decision.reservationId ?? '') ?? '';
      const store = await openStore();
      if (orphan === 'keep') await eventually(async () => assert.equal(await store.context(reservation), null));
      await eventually(async () => assert.equal(await left(), remaining));
    };

    it('is charged as it was reserved', () => leftAfter('keep', 100_000 - 1_010));
    it('has it given back where the policy says so', () => leftAfter('refund', 100_000));
  });
});
