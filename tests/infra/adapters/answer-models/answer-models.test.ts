/** Model services over HTTP: what they are sent, what is read of their answers, and every way in which they fail. */
import assert from 'node:assert/strict';
import { isLeft } from 'fp-ts/Either';
import { openAnthropicModel } from '../../../../infra/adapters/answer-models/anthropic/anthropic-model';
import type { ModelOptions } from '../../../../infra/adapters/answer-models/model-options';
import { openAnswerModel } from '../../../../infra/adapters/answer-models/open-answer-model';
import { openOpenAiModel } from '../../../../infra/adapters/answer-models/openai/openai-model';
import { readEvents } from '../../../../infra/adapters/answer-models/streaming/read-events';
import {
  breaksOff,
  endsEarly,
  fails,
  floods,
  hangs,
  type ModelServer,
  refuses,
  startModelServer,
  writes,
} from '../../../support/retrieval/model-server';

const key = 'sk-very-secret';
const prompt = { instructions: 'Answer from sources.', material: 'a confidential sentence' };

const opened = { openai: openOpenAiModel, anthropic: openAnthropicModel };

for (const kind of ['openai', 'anthropic'] as const)
  describe(`a model service as ${kind}`, () => {
    let server: ModelServer;
    before(async () => {
      server = await startModelServer();
    });
    after(() => server.close());

    const open = (over: Partial<ModelOptions> = {}) =>
      opened[kind]({
        url: `${server.url}/`,
        model: 'model-x',
        key,
        maxTokens: 100,
        maxSourceCharacters: 1_000,
        ...over,
      });
    const generate = async (over: Partial<ModelOptions> = {}, signal = new AbortController().signal) => {
      const model = open(over);
      const pieces: string[] = [];
      const writing = model.generate(prompt, { signal });
      for (;;) {
        const next = await writing.next();
        if (next.done === true) {
          await model.close();
          if (isLeft(next.value)) {
            const written = JSON.stringify(next.value.left);
            for (const secret of [key, prompt.material, server.url]) assert.ok(!written.includes(secret), written);
          }
          return { pieces, fault: isLeft(next.value) ? next.value.left : undefined };
        }
        pieces.push(next.value);
      }
    };

    it('is sent instructions and material apart, with the key, and answers in pieces', async () => {
      server.behave(writes('The notice ', 'period 賃貸.'));
      assert.deepEqual(await generate(), { pieces: ['The notice ', 'period 賃貸.'], fault: undefined });
      const [request] = server.requests;
      assert.deepEqual(
        [request?.path, request?.body.model],
        [kind === 'openai' ? '/v1/chat/completions' : '/v1/messages', 'model-x'],
      );
      const { authorization, 'x-api-key': apiKey } = request?.headers ?? {};
      assert.equal(kind === 'openai' ? authorization : apiKey, kind === 'openai' ? `Bearer ${key}` : key);
      const { system, messages = [] } = request?.body ?? {};
      const instructions = kind === 'openai' ? messages.find(({ role }) => role === 'system')?.content : system;
      assert.equal(instructions, prompt.instructions);
      assert.deepEqual(
        messages.filter(({ role }) => role === 'user'),
        [{ role: 'user', content: prompt.material }],
      );
    });

    it('may answer without a stream', async () => {
      const whole =
        kind === 'openai'
          ? { choices: [{ message: { content: 'Yes.' }, finish_reason: 'stop' }] }
          : { type: 'message', content: [{ type: 'text', text: 'Yes.' }], stop_reason: 'end_turn' };
      server.behave(
        (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(whole)),
      );
      assert.deepEqual(await generate(), { pieces: ['Yes.'], fault: undefined });
    });

    it('is called once more where it failed for a while, and not where it refuses', async () => {
      server.behave(fails(503), writes('Yes.'));
      assert.deepEqual((await generate()).pieces, ['Yes.']);
      server.behave(fails(500));
      assert.match((await generate()).fault?.detail ?? '', /500/);
      assert.equal(server.requests.length, 2);
      for (const status of [400, 401, 404]) {
        server.behave(fails(status));
        assert.match((await generate()).fault?.detail ?? '', new RegExp(String(status)));
        assert.equal(server.requests.length, 1);
      }
    });

    it('is left alone as long as it asks for', async () => {
      server.behave(fails(429, { 'retry-after': '30' }));
      const model = open();
      for (let count = 0; count < 3; count += 1) {
        const { value } = await model.generate(prompt, { signal: new AbortController().signal }).next();
        assert.ok(typeof value === 'object' && isLeft(value) && /429/.test(value.left.detail));
      }
      assert.equal(server.requests.length, 1);
      await model.close();
    });

    it('has not answered where its answer has no end', async () => {
      for (const behaviour of [breaksOff('The notice '), endsEarly('The notice '), refuses])
        for (const _ of [1]) {
          server.behave(behaviour);
          const { fault } = await generate();
          assert.equal(fault?.code, 'answer-model-unavailable');
        }
    });

    it('is given up where it hangs, at once or in the middle', async () => {
      server.behave(() => undefined);
      assert.equal((await generate({ idleMilliseconds: 150 })).fault?.code, 'answer-model-unavailable');
      server.behave(hangs('The notice '));
      assert.equal((await generate({ wholeMilliseconds: 300 })).fault?.code, 'answer-model-unavailable');
    });

    it('is read up to a few megabytes', async () => {
      server.behave(floods(50 * 1024 * 1024));
      const { fault } = await generate();
      assert.equal(fault?.code, 'answer-model-unavailable');
    });

    it('is not followed to another address', async () => {
      server.behave(fails(307, { location: `${server.url}/elsewhere` }));
      assert.match((await generate()).fault?.detail ?? '', /307/);
      assert.equal(server.requests.length, 1);
    });

    it('ends with the caller', async () => {
      server.behave(hangs('The notice '));
      const caller = new AbortController();
      const model = open();
      const writing = model.generate(prompt, { signal: caller.signal });
      assert.equal((await writing.next()).value, 'The notice ');
      caller.abort();
      const { value } = await writing.next();
      assert.ok(typeof value === 'object' && isLeft(value) && value.left.code === 'answer-aborted');
      await model.close();
    });
  });

describe('the model of the configuration', () => {
  const values = { ANSWERS_MAX_CHARACTERS: 1_000, ANSWERS_MAX_TOKENS: 100, ANSWERS_CALLS_PER_TENANT: 2 };
  const none = { ANSWERS_URL: undefined, ANSWERS_MODEL: undefined, ANSWERS_KEY: undefined };
  it('is none, or the one that it names, and lacks a sentence without an address', async () => {
    assert.deepEqual(openAnswerModel({ ...values, ...none, ANSWERS: 'extractive' }), {
      _tag: 'Right',
      right: undefined,
    });
    for (const ANSWERS of ['openai', 'anthropic'] as const) {
      const lacking = openAnswerModel({ ...values, ...none, ANSWERS });
      assert.ok(isLeft(lacking) && lacking.left.includes('ANSWERS_URL'));
      const model = openAnswerModel({
        ...values,
        ANSWERS,
        ANSWERS_URL: 'http://127.0.0.1:1/v1',
        ANSWERS_MODEL: 'm',
        ANSWERS_KEY: key,
      });
      assert.ok(!isLeft(model) && model.right?.name === `${ANSWERS}:m`);
      await model.right.close();
    }
  });
});

describe('server-sent events of a model', () => {
  const read = async (...chunks: readonly string[]): Promise<readonly string[]> => {
    async function* body() {
      for (const chunk of chunks) yield Buffer.from(chunk);
    }
    const events: string[] = [];
    for await (const event of readEvents(body())) events.push(event);
    return events;
  };
  it('are cut at blank lines, however they arrive', async () => {
    assert.deepEqual(await read('da', 'ta: a\nda', 'ta:b\n', '\n: ping\nevent: x\r\ndata: c\r', '\n\r\ndata: cut'), [
      'a\nb',
      'c',
    ]);
  });
  it('are bounded', async () => {
    await assert.rejects(read(`data: ${'x'.repeat(300 * 1024)}`), /too large/);
  });
});
