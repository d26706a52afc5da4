import assert from 'node:assert/strict';
import { withGatewayProblems } from '../../../../infra/gateway/docs/gateway-problems';

interface Documented {
  readonly description: string;
  readonly content: {
    readonly [type: string]: { readonly schema: { readonly properties: { code: { enum: string[] } } } };
  };
  readonly 'x-problems': Record<string, string>;
}

const responsesIn = (operation: object, method = 'get'): Record<string, Documented> => {
  const paths = withGatewayProblems({ things: { [method]: operation } });
  return (paths.things as Record<string, { readonly responses: Record<string, Documented> }>)[method]?.responses ?? {};
};
const codesAt = (responses: Record<string, Documented>, status: number): readonly string[] =>
  responses[status]?.content['application/problem+json']?.schema.properties.code.enum ?? [];

describe('what the gateway refuses, in the documentation', () => {
  it('stands beside what the service refuses with the same status', () => {
    const own = {
      description: '`invalid-input`: Invalid input.',
      content: { 'application/problem+json': { schema: {} }, 'application/json': { schema: { type: 'object' } } },
      'x-problems': { 'invalid-input': 'Invalid input' },
    };
    const responses = responsesIn({ responses: { 200: { description: 'Done.' }, 400: own } });
    assert.deepEqual(codesAt(responses, 400), ['invalid-input', 'malformed-request']);
    assert.deepEqual(Object.keys(responses[400]?.content ?? {}).sort(), [
      'application/json',
      'application/problem+json',
    ]);
    assert.match(responses[400]?.description ?? '', /^`invalid-input`.*\n\n`malformed-request`/);
    assert.deepEqual(Object.keys(responses), ['200', '400', '414', '431']);
  });

  it('depends on whether there is a token and a body', () => {
    const withToken = responsesIn({ security: [{ bearer: ['a'] }], responses: {} }, 'post');
    assert.deepEqual(codesAt(withToken, 401), ['token_revoked', 'revoked']);
    assert.deepEqual(Object.keys(withToken), ['400', '401', '408', '414', '417', '431', '503']);
  });

  it('is left out where anything may be answered', () => {
    const responses = { default: { description: 'As the service answers.' } };
    assert.deepEqual(responsesIn({ responses }), responses);
  });
});
