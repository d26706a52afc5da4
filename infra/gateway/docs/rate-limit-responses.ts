/** Adds the 429 response, which is the same everywhere, to every operation of the OpenAPI document. */
import { isOAuthPath } from '../rate-limit/route-groups';

interface Operation {
  readonly responses?: { readonly [status: string]: unknown };
}

interface Paths {
  readonly [path: string]: { readonly [method: string]: unknown };
}

const wholeNumber = { type: 'integer', minimum: 0 };
const header = (description: string) => ({ description, schema: wholeNumber });
const field = (description: string) => ({ description, schema: { type: 'string' } });

/** An inline schema: no operation declares it as its own. */
const rateLimitErrorSchema = {
  type: 'object',
  required: ['error', 'message', 'retryAfterSeconds'],
  properties: {
    error: { type: 'string', const: 'rate_limited' },
    message: { type: 'string' },
    retryAfterSeconds: { type: 'integer', minimum: 1 },
  },
};

/** The same as an error of OAuth (RFC 6749 section 5.2). */
const oauthErrorSchema = {
  ...rateLimitErrorSchema,
  required: [...rateLimitErrorSchema.required, 'error_description'],
  properties: { ...rateLimitErrorSchema.properties, error_description: { type: 'string', description: 'As message.' } },
};

const tooManyRequestsWith = (schema: object) => ({
  description: 'Too many requests. After Retry-After a single caller is admitted again.',
  headers: {
    'Retry-After': header('Seconds.'),
    'X-RateLimit-Limit': header('Of the limit that was met.'),
    'X-RateLimit-Remaining': header('What is left of it.'),
    'X-RateLimit-Reset': header('Seconds until nothing of it is used.'),
    'RateLimit-Policy': field('Every limit that counts the request (draft-ietf-httpapi-ratelimit-headers-10).'),
    RateLimit: field('What is left of each.'),
  },
  content: { 'application/json': { schema } },
});

const tooManyRequests = tooManyRequestsWith(rateLimitErrorSchema);
const tooManyOAuthRequests = tooManyRequestsWith(oauthErrorSchema);

const withRateLimitResponse = (path: string, operation: Operation): Operation => ({
  ...operation,
  responses: { ...operation.responses, 429: isOAuthPath(path) ? tooManyOAuthRequests : tooManyRequests },
});

const isOperation = (value: unknown): value is Operation =>
  typeof value === 'object' && value !== null && 'responses' in value;

export const withRateLimitResponses = (paths: Paths): Record<string, Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(paths).map(([path, methods]) => [
      path,
      Object.fromEntries(
        Object.entries(methods).map(([method, one]) => [
          method,
          isOperation(one) ? withRateLimitResponse(path, one) : one,
        ]),
      ),
    ]),
  );
