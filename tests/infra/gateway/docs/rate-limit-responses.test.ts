import assert from 'node:assert/strict';
import { withRateLimitResponses } from '../../../../infra/gateway/docs/rate-limit-responses';

describe('limits in the documentation', () => {
  it('are an answer of every operation, the same whatever a service describes itself', () => {
    const own = { description: 'Streams are all taken.' };
    const done = { description: 'Done.' };
    const paths = {
      '/v1/things': { get: { responses: { 200: done } }, parameters: [] },
      '/v1/streams': { post: { responses: { 200: done, 429: own } } },
    };
    const { '/v1/things': things, '/v1/streams': streams } = withRateLimitResponses(paths) as typeof paths;
    const { 429: limited, ...rest } = things.get.responses as Record<string, { headers?: object }>;
    assert.deepEqual([rest, things.parameters], [{ 200: done }, []]);
    assert.deepEqual(streams.post.responses[429], limited);
    assert.deepEqual(Object.keys(limited?.headers ?? {}), [
      'Retry-After',
      'X-RateLimit-Limit',
      'X-RateLimit-Remaining',
      'X-RateLimit-Reset',
      'RateLimit-Policy',
      'RateLimit',
    ]);
  });
});
