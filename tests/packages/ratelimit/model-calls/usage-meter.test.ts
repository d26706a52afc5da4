import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  createStreamMeter,
  createUsageMeter,
  type ResponseEnd,
} from '../../../../packages/ratelimit/src/model-calls/usage-meter';

const sse = (...data: (object | string)[]): string =>
  data.map((one) => `data: ${typeof one === 'string' ? one : JSON.stringify(one)}\n\n`).join('');
const delta = (content: string) => ({ choices: [{ index: 0, delta: { role: 'assistant', content } }] });
const usage = (prompt: number, completion: number, cached = 0) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  prompt_tokens_details: { cached_tokens: cached },
});

const streamed = (text: string, how: ResponseEnd = 'whole', cuts: readonly number[] = []) => {
  const [meter, bytes] = [createStreamMeter(), Buffer.from(text)];
  const places = [0, ...[...cuts].sort((one, other) => one - other), bytes.length];
  for (const [index, from] of places.entries()) meter.add(bytes.subarray(from, places[index + 1] ?? bytes.length));
  return meter.end(how);
};

describe('what a streamed answer came to', () => {
  it('is what it says, wherever it says so', () => {
    const chat = sse(delta('Hello'), { choices: [], usage: usage(9, 12, 4) }, '[DONE]');
    assert.deepEqual(streamed(chat), { inputTokens: 9, cachedInputTokens: 4, outputTokens: 12 });
    const reported = { input_tokens: 20, output_tokens: 30, input_tokens_details: { cached_tokens: 5 } };
    const output = [{ type: 'web_search_call' }, { type: 'web_search_call' }, { type: 'function_call' }];
    const responses = sse({ type: 'response.completed', response: { error: null, usage: reported, output } });
    const tools = { web_search: 2 };
    assert.deepEqual(streamed(responses), { inputTokens: 20, cachedInputTokens: 5, outputTokens: 30, tools });
  });
  it('adds up what Anthropic tells in pieces', () => {
    const start = { input_tokens: 10, cache_read_input_tokens: 100, cache_creation_input_tokens: 7, output_tokens: 1 };
    const text = sse(
      { type: 'message_start', message: { usage: start } },
      { type: 'content_block_delta', delta: { type: 'text_delta', text: 'Hello there' } },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 15 } },
    );
    assert.deepEqual(streamed(text), { inputTokens: 117, cachedInputTokens: 100, outputTokens: 15 });
  });
  it('is counted by its bytes where it does not say', () => {
    assert.deepEqual(streamed(sse(delta('x'.repeat(40)), delta('y'.repeat(4)), '[DONE]')), { outputTokens: 11 });
    const call = { choices: [{ delta: { tool_calls: [{ id: 'call_1', function: { arguments: '{"a":1}' } }] } }] };
    assert.deepEqual(streamed(sse(call)), { outputTokens: 2 });
    const parts = [{ type: 'response.output_text.delta', delta: 'x'.repeat(40) }];
    const again = { type: 'response.output_text.done', text: 'x'.repeat(40) };
    assert.deepEqual(streamed(sse(...parts, again)), { outputTokens: 10 });
    assert.deepEqual(streamed(sse({ choices: [{ text: 'x'.repeat(8) }] })), { outputTokens: 2 });
  });
  it('is what had been written when the caller left, though less had been reported', () => {
    const start = { type: 'message_start', message: { usage: { input_tokens: 5, output_tokens: 1 } } };
    const text = { type: 'content_block_delta', delta: { text: 'x'.repeat(400) } };
    assert.deepEqual(streamed(sse(start, text), 'left'), { inputTokens: 5, outputTokens: 100 });
    assert.deepEqual(streamed(sse(), 'left'), { outputTokens: 0 });
  });
  it('is given back when it failed before anything was written, and only then', () => {
    const failure = { error: { message: 'overloaded' } };
    assert.deepEqual(streamed(''), { outputTokens: 0 });
    assert.equal(streamed('', 'broken'), 'refund');
    assert.equal(streamed(sse(failure)), 'refund');
    assert.equal(streamed(sse({ type: 'response.failed', response: { usage: null } })), 'refund');
    assert.deepEqual(streamed(sse(delta('x'.repeat(4)), failure), 'broken'), { outputTokens: 1 });
  });
  it('is the same however its bytes are cut', () => {
    const text = `: hi\r\nevent: x\r\nid\r\n${sse(delta('né€🎈'), delta('more'), { usage: usage(3, 8, 1) }, '[DONE]')}`;
    const written = [text, text.replaceAll('\n\n', '\r\n\r\n'), text.replaceAll('\r\n', '\n').replaceAll('\n', '\r')];
    const whole = { inputTokens: 3, cachedInputTokens: 1, outputTokens: 8 };
    const cuts = fc.array(fc.nat(Buffer.byteLength(text)), { maxLength: 40 });
    fc.assert(
      fc.property(fc.constantFrom(...written), cuts, (one, at) => assert.deepEqual(streamed(one, 'whole', at), whole)),
      { numRuns: 300 },
    );
  });
  it('may end without an end of its last line', () => {
    assert.deepEqual(streamed(sse({ usage: usage(1, 2) }).trimEnd()), {
      inputTokens: 1,
      cachedInputTokens: 0,
      outputTokens: 2,
    });
  });
  it('survives what is no event, and numbers that are none', () => {
    const odd = [{ usage: { completion_tokens: -1, prompt_tokens: 'many' } }, { usage: [] }, { choices: 7 }, '7', '{'];
    assert.deepEqual(streamed(sse(...odd, 'null')), { outputTokens: 0 });
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.jsonValue(), (noise, value) => {
        const meter = createStreamMeter();
        meter.add(noise);
        meter.add(Buffer.from(`\n\n${sse(JSON.stringify(value))}`));
        const came = meter.end('left');
        assert.ok(came !== 'refund' && (came.outputTokens ?? 0) >= 0);
      }),
      { numRuns: 300 },
    );
  });
});

describe('what an answer in one piece came to', () => {
  const whole = (text: string, status = 200): unknown => {
    const meter = createUsageMeter({ status, contentType: 'application/json' });
    meter.add(Buffer.from(text));
    return meter.end('whole');
  };

  it('is what it says, also when it is too large to be kept', () => {
    const answer = (length: number) =>
      JSON.stringify({ usage: 'no', data: [{ usage: usage(9, 9), text: `"\\{${'x'.repeat(length)}` }], end: {} });
    for (const length of [10, 2_000_000]) {
      const text = `${answer(length).slice(0, -1)},"usage":${JSON.stringify({ prompt_tokens: 4, total_tokens: 6 })}}`;
      assert.deepEqual(whole(text), { inputTokens: 4, outputTokens: 2 });
    }
  });
  it('is no tool that it might have used, where the answer names those it used', () => {
    const output = [{ type: 'message' }, { type: 'function_call' }];
    const reported = { input_tokens: 4, output_tokens: 2 };
    const came = { inputTokens: 4, outputTokens: 2, tools: {} };
    assert.deepEqual(whole(JSON.stringify({ output, usage: reported })), came);
    assert.deepEqual(streamed(sse({ type: 'response.completed', response: { usage: reported, output } })), came);
    assert.deepEqual(streamed(sse({ type: 'response.created', response: { usage: reported, output: [] } })), {
      inputTokens: 4,
      outputTokens: 2,
    });
  });
  it('stays as it was reserved where it does not say', () => {
    for (const text of ['{"status":"queued"}', '{"status":"queued","output":[]}', '{"usage":{"prompt_tok', ''])
      assert.deepEqual(whole(text), {});
  });
  it('is nothing when it was refused', () => assert.equal(whole('{"usage":{"prompt_tokens":9}}', 500), 'refund'));
});
