/** The shape of every 429, of any limiter: the same three members, and the headers of the limit that was reached. */
import assert from 'node:assert/strict';

export interface ExpectedLimit {
  readonly limit: number;
  readonly retryAfterSeconds?: number;
  /** Of an OAuth endpoint, whose body has `error_description` as well. */
  readonly isOAuth?: true;
}

interface RateLimitedAnswer {
  readonly status: number;
  readonly headers: Pick<Headers, 'get'>;
  readonly text: () => Promise<string>;
}

/** Returns the message. */
export const assertRateLimited = async (answer: RateLimitedAnswer, expected: ExpectedLimit): Promise<string> => {
  const header = (name: string): string => answer.headers.get(name) ?? '';
  const body = JSON.parse(await answer.text()) as { readonly message: string; readonly retryAfterSeconds: number };
  const { message, retryAfterSeconds } = body;
  assert.deepEqual([answer.status, header('content-type')], [429, 'application/json']);
  const described = expected.isOAuth === undefined ? {} : { error_description: message };
  assert.deepEqual(body, { error: 'rate_limited', message, ...described, retryAfterSeconds });
  assert.ok(typeof message === 'string' && message.length > 0);
  assert.ok(Number.isInteger(retryAfterSeconds) && retryAfterSeconds > 0);
  if (expected.retryAfterSeconds !== undefined) assert.equal(retryAfterSeconds, expected.retryAfterSeconds);
  assert.equal(header('retry-after'), String(retryAfterSeconds));
  assert.equal(header('x-ratelimit-limit'), String(expected.limit));
  assert.match(header('x-ratelimit-remaining'), /^\d+$/);
  assert.match(header('x-ratelimit-reset'), /^[1-9]\d*$/);
  assert.match(header('ratelimit-policy'), new RegExp(`^"[a-z-]+";q=${expected.limit}`));
  assert.match(header('ratelimit'), /^"[a-z-]+";r=\d+;t=\d+/);
  return message;
};
