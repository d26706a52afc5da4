import assert from 'node:assert/strict';
import fc from 'fast-check';
import { tokenEstimates } from '../../../../packages/ratelimit/src/model-calls/estimate-tokens';
import { type ModelApi, readModelRequest } from '../../../../packages/ratelimit/src/model-calls/model-request';

const user = (content: unknown) => ({ role: 'user', content });
const chat = (...messages: unknown[]) => ({ model: 'gpt-4o', messages });
const weightOf = (body: unknown, api: ModelApi = 'chat', options = {}) => readModelRequest(api, body, options)?.weight;
const inputOf = (body: unknown, options = {}): number => weightOf(body, 'chat', options)?.inputTokens ?? Number.NaN;
/** Names of members are text, too: `role`, `content` and `user`. */
const around = 'messagesrolecontentuser'.length - 'messages'.length;

describe('what a request to a model is estimated to bring', () => {
  it('is a token for four bytes of text, and a few for each message', () => {
    assert.equal(inputOf(chat(user('x'.repeat(400)))), Math.ceil((400 + around) / 4) + tokenEstimates.message);
    assert.equal(inputOf(chat(user('é'.repeat(200)))), inputOf(chat(user('x'.repeat(400)))));
  });
  it('takes the bytes of the model, the longest pattern that fits', () => {
    const bytesPerToken = { 'gpt-*': 2, 'gpt-4o*': 1, 'gpt-4': 8 };
    assert.equal(inputOf(chat(user('x'.repeat(89))), { bytesPerToken }), 89 + around + tokenEstimates.message);
  });
  it('counts pictures by their detail, whatever their size', () => {
    const image = (detail: string, url: string) => chat(user([{ type: 'image_url', image_url: { url, detail } }]));
    const [low, high] = [image('low', 'https://a/b'), image('high', `data:image/png;base64,${'A'.repeat(90_000)}`)];
    assert.equal(inputOf(high) - inputOf(low), tokenEstimates.image - tokenEstimates.smallImage);
  });
  it('counts what is beside a picture as text', () => {
    const part = { type: 'image_url', image_url: { url: 'https://a/b' } };
    const more = inputOf(chat(user([{ ...part, caption: 'x'.repeat(4_000) }]))) - inputOf(chat(user([part])));
    assert.ok(more >= 1_000);
  });
  it('counts sound by its length, files by theirs, tools by their text', () => {
    const sound = (format: string) => ({ type: 'input_audio', input_audio: { format, data: 'A'.repeat(64_000) } });
    assert.equal(inputOf(chat(user([sound('mp3')]))) - inputOf(chat(user([sound('wav')]))), 120 - 30);
    const file = { type: 'file', file: { file_data: 'A'.repeat(64_000) } };
    assert.ok(inputOf(chat(user([file]))) >= 3_000);
    const tool = { type: 'function', function: { name: 'look', parameters: { type: 'object' } } };
    assert.ok(inputOf({ ...chat(), tools: [tool] }) > tokenEstimates.tool + 5);
  });
  it('takes numbers of prompts for tokens, and what is kept elsewhere for something', () => {
    const numbers = Array.from({ length: 100 }, (_, index) => index);
    assert.equal(weightOf({ model: 'm', prompt: numbers }, 'completions')?.inputTokens, 100);
    assert.equal(weightOf({ model: 'm', previous_response_id: 'resp_1' }, 'responses')?.inputTokens, 4_002);
  });
  it('leaves out what the model is not shown', () => {
    assert.equal(inputOf({ ...chat(), metadata: { a: 'x'.repeat(4_000) }, user: 'u', stop: ['a'] }), inputOf(chat()));
  });

  const json = fc.jsonValue({ maxDepth: 4 });
  it('never falls with more to say', () => {
    fc.assert(
      fc.property(fc.array(json, { maxLength: 6 }), json, (messages, more) => {
        assert.ok(inputOf(chat(...messages, user(more))) >= inputOf(chat(...messages)));
      }),
      { numRuns: 300 },
    );
  });
  it('is bounded by the length of the body', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), json), (body) => {
        const { inputTokens = Number.NaN } = weightOf(body) ?? {};
        assert.ok(
          inputTokens >= 0 && inputTokens <= tokenEstimates.storedConversation + 200 * JSON.stringify(body).length,
        );
      }),
      { numRuns: 300 },
    );
  });
  it('takes no stack, however deep the body is', () => {
    const deep = JSON.parse(`{"messages":${'['.repeat(200_000)}${']'.repeat(200_000)}}`) as unknown;
    assert.equal(inputOf(deep), 0);
  });
});

describe('what a model may answer', () => {
  const outputOf = (body: object, api: ModelApi = 'chat') => weightOf({ ...chat(), ...body }, api)?.outputTokens;

  it('is the most of its names, as often as there are to be answers', () => {
    assert.equal(outputOf({ max_tokens: 100 }), 100);
    assert.equal(outputOf({ max_tokens: 100, max_completion_tokens: 300 }), 300);
    assert.equal(outputOf({ max_output_tokens: 70 }, 'responses'), 70);
    assert.equal(outputOf({ max_tokens: 100, n: 5 }), 500);
    assert.equal(outputOf({ max_tokens: 100, n: 2, best_of: 4, prompt: ['a', 'b', 'c'] }, 'completions'), 1_200);
    assert.equal(outputOf({ max_tokens: 100, prompt: [1, 2, 3] }, 'completions'), 100);
  });
  it('is not known where none is named, or nothing that is one', () => {
    assert.equal(outputOf({}), undefined);
    assert.equal(weightOf({ ...chat(), n: 3 })?.answers, 3);
    for (const odd of [-1, 1.5, '100', null, {}, Number.NaN]) assert.equal(outputOf({ max_tokens: odd }), undefined);
  });
  it('is nothing of embeddings', () => assert.equal(outputOf({ input: 'x' }, 'embeddings'), 0));
  it('stays a number that can be counted', () => {
    for (const n of [2 ** 53 - 1, 1e300, -5, 'x'])
      assert.ok(Number.isSafeInteger(outputOf({ max_tokens: 2 ** 52, n })));
  });
  it('names the tools that the model uses by itself', () => {
    const named = (...types: unknown[]) => weightOf({ ...chat(), tools: types.map((type) => ({ type })) })?.tools;
    const found = named('web_search_preview_2025_03_11', 'code_interpreter', 'function', 'custom', 7, 'A'.repeat(99));
    assert.deepEqual(found, { web_search: 1, code_interpreter: 1 });
    assert.deepEqual(weightOf({ ...chat(), web_search_options: {} })?.tools, { web_search: 1 });
  });
  it('is of a model that has a name of some length', () => {
    const modelOf = (model: unknown) => readModelRequest('chat', { model })?.model;
    assert.deepEqual([modelOf('m'), modelOf(''), modelOf(7), modelOf('m'.repeat(257))], ['m', ...Array(3)]);
  });
  it('is not asked of what is no object', () => {
    for (const body of [[], 'x', 7, null, undefined]) assert.equal(readModelRequest('chat', body), undefined);
  });
});
