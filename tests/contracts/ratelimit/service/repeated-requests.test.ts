/** A caller of the limiter that lost an answer and retries, and what it may see besides, over HTTP and a real store. */
import assert from 'node:assert/strict';
import { bucket, type Stage, startLimiterService, tokens } from './fixture';

interface Limited {
  readonly remaining: number;
  readonly rule?: string;
  readonly watched?: boolean;
}

describe('a request that is repeated over HTTP', () => {
  let stage: Stage;
  let other: Stage;
  before(async () => {
    const rules = [bucket('secret-requests'), tokens('secret-tokens', { by: ['user'], when: { model: ['*'] } })];
    [stage, other] = [await startLimiterService({ rules }), await startLimiterService({ rules })];
  });
  after(async () => {
    await stage.close();
    await other.close();
  });

  const requestOf = (user: string, requestId: string, more: object = {}) => ({
    dimensions: { user },
    requestId,
    ...more,
  });
  const left = async (user: string): Promise<number | undefined> => {
    const { body } = await stage.post('peek', { dimensions: { user } });
    return (body.limits as readonly Limited[])[0]?.remaining;
  };

  it('is counted once and answered as before, also by another process', async () => {
    const reserve = requestOf('again', 'r-1', { mode: 'reserve', weight: { outputTokens: 9 } });
    const first = await stage.post('check', reserve);
    assert.ok(first.body.reservationId);
    for (const { post } of [stage, other]) assert.deepEqual(await post('check', reserve, stage.identity()), first);
    assert.equal(await left('again'), 2);
    const settled = await other.post(
      'settle',
      { reservationId: first.body.reservationId, actual: {} },
      stage.identity(),
    );
    assert.deepEqual(settled.body, { outcome: 'settled' });
  });

  it('is counted once for any number of concurrent repetitions, alone and in batches', async () => {
    const one = requestOf('rush', 'r-1');
    const services = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? stage : other));
    const answers = await Promise.all(services.map(({ post }) => post('check', one, stage.identity())));
    const batch = await stage.post('check/batch', { requests: [one, one, { ...one, requestId: 'r-2' }] });
    const all = [...answers.map(({ body }) => body), ...(batch.body.answers as (typeof batch.body)[])];
    assert.ok(all.every(({ outcome }) => outcome === 'allow'));
    assert.equal(await left('rush'), 1);
  });

  it('is a different request with another body or another caller', async () => {
    await stage.post('check', requestOf('else', 'r-1'));
    await stage.post('check', requestOf('else', 'r-1', { weight: { requests: 1 } }));
    await stage.post('check', requestOf('else', 'r-1'), stage.identity({ principalId: 'another' }));
    assert.equal((await stage.post('check', requestOf('else', 'r-2'))).body.outcome, 'deny');
    // The order of fields makes no difference.
    const { dimensions, requestId } = requestOf('else', 'r-1');
    assert.equal((await stage.post('check', { requestId, dimensions })).body.outcome, 'allow');
  });

  it('is decided again after a denial', async () => {
    const reserved = await stage.post('check', {
      dimensions: { user: 'anew', model: 'm' },
      mode: 'reserve',
      weight: { requests: 1, inputTokens: 600, outputTokens: 0 },
    });
    assert.equal(reserved.body.outcome, 'allow');
    const tokensOf = (requestId: string) => ({
      dimensions: { user: 'anew', model: 'm' },
      requestId,
      weight: { requests: 0, inputTokens: 600, outputTokens: 0 },
    });
    assert.equal((await stage.post('check', tokensOf('r-2'))).body.outcome, 'deny');
    await stage.post('settle', { reservationId: reserved.body.reservationId, actual: { inputTokens: 0 } });
    assert.equal((await stage.post('check', tokensOf('r-2'))).body.outcome, 'allow');
  });
});

describe('what callers of the limiter may see besides', () => {
  let stage: Stage;
  before(async () => {
    stage = await startLimiterService({
      rules: [bucket('secret-requests'), bucket('secret-watched', { strictness: 'watched' })],
    });
  });
  after(() => stage.close());

  it('are rules and dry runs, for those who may read them', async () => {
    const reader = stage.identity({ scopes: ['ratelimit:check', 'ratelimit:read'] });
    const { body } = await stage.post('peek', { dimensions: { user: 'u' }, show: ['rules'] }, reader);
    assert.deepEqual(
      (body.limits as readonly Limited[]).map(({ rule, watched }) => [rule, watched]),
      [
        ['secret-requests', false],
        ['secret-watched', true],
      ],
    );
    for (const path of ['check', 'peek']) {
      const refused = await stage.post(path, { dimensions: { user: 'u' }, show: ['rules'] });
      assert.deepEqual([refused.status, refused.body.code], [403, 'forbidden']);
      assert.doesNotMatch(JSON.stringify(refused.body), /secret/);
    }
  });

  it('is the response for their callers: headers, and for a denial status and body', async () => {
    const check = { dimensions: { user: 'replied' }, weight: { requests: 3 }, show: ['reply'] };
    const passed = await stage.post('check', check);
    const { reply } = passed.body as { readonly reply: { readonly headers: Readonly<Record<string, string>> } };
    assert.equal(reply.headers['X-RateLimit-Remaining'], '0');
    assert.equal(reply.headers['RateLimit-Policy'], '"requests";q=3;w=86400');
    const denied = await stage.post('check', check);
    const { retryAfterSeconds } = denied.body;
    const { status, headers, body } = denied.body.reply as {
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: object;
    };
    assert.deepEqual([status, headers['Retry-After']], [429, String(retryAfterSeconds)]);
    const message = `Too many requests. Try again in ${retryAfterSeconds} seconds.`;
    assert.deepEqual(body, { error: 'rate_limited', message, retryAfterSeconds });
    assert.doesNotMatch(JSON.stringify(denied.body), /secret/);
  });

  it('weighs several answers of one request', async () => {
    const own = await startLimiterService({
      rules: [tokens('tokens', { cost: { unit: 'tokens', outputWhenUnknown: { default: 100 } } })],
    });
    const weight = { inputTokens: 10, answers: 4 };
    const { body } = await own.post('check', { dimensions: { user: 'u' }, mode: 'reserve', weight });
    assert.deepEqual([(body.limits as readonly Limited[])[0]?.remaining, body.estimateSource], [590, 'policy']);
    const peeked = await own.post('peek', { dimensions: { user: 'u' }, weight: { ...weight, outputTokens: 1 } });
    assert.equal(peeked.body.estimateSource, 'request');
    await own.close();
  });
});
