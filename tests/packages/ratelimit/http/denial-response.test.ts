import assert from 'node:assert/strict';
import type { Decision } from '../../../../packages/ratelimit/src/decision/decision';
import { denialResponse } from '../../../../packages/ratelimit/src/http/denial-response';
import { decision, limit } from './decisions';

describe('the answer to a denied request', () => {
  const denied = (reason: Decision['reason'], changes: Partial<Decision> = {}) =>
    denialResponse(decision([], { outcome: 'deny', ...(reason === undefined ? {} : { reason }), ...changes }));

  it('says in how many seconds to try again', () => {
    const { status, headers, body } = denied('limited', { retryAfterSeconds: 7, limits: [limit({ over: true })] });
    assert.equal(status, 429);
    assert.equal(headers['Retry-After'], '7');
    assert.deepEqual(body, {
      error: 'rate_limited',
      message: 'Too many requests. Try again in 7 seconds.',
      retryAfterSeconds: 7,
    });
  });

  it('says of what is too large that no wait helps', () => {
    const { status, headers, body } = denied('too-large', { message: 'It costs 9 tokens.' });
    assert.equal(status, 413);
    assert.deepEqual(headers, {});
    assert.deepEqual(body, { error: 'request_too_large', message: 'It costs 9 tokens.' });
  });

  it('says when it can be asked again where it could not be counted', () => {
    const { status, headers, body } = denied('store-unavailable', { retryAfterSeconds: 1 });
    assert.equal(status, 503);
    assert.deepEqual(headers, { 'Retry-After': '1' });
    assert.deepEqual(body, {
      error: 'limiter_unavailable',
      message: 'The request cannot be checked against its rate limit right now. Try again in 1 second.',
      retryAfterSeconds: 1,
    });
  });

  it('says what the block says', () => {
    assert.deepEqual(denied('blocked', { message: 'Call us.' }).body, { error: 'blocked', message: 'Call us.' });
    assert.equal(denied('blocked').status, 403);
  });
});
