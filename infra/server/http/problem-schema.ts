/** JSON Schema of problem details, as OpenAPI shows them. */
import type { JsonSchema } from '../../../domain/kernel/codec';

export const problemSchema: JsonSchema = {
  type: 'object',
  description: 'Problem details (RFC 9457).',
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    code: { type: 'string', description: 'The stable code of the problem, for programs.' },
    detail: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        properties: { pointer: { type: 'string' }, expected: { type: 'string' } },
        required: ['pointer', 'expected'],
      },
    },
  },
  required: ['type', 'title', 'status', 'code', 'detail'],
};

/** Of a status, with the codes that it may come with. */
export const problemWith = (codes: readonly string[]): JsonSchema => ({
  $ref: '#/components/schemas/Problem',
  properties: { code: { enum: codes } },
});
