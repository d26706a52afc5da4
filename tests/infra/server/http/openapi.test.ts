import assert from 'node:assert/strict';
import * as t from 'io-ts';
import {
  brandedText,
  constrained,
  Instant,
  integer,
  listOf,
  mapOf,
  nullable,
  oneOf,
  record,
  text,
} from '../../../../domain/kernel/codec';
import { contentPatterns } from '../../../../domain/kernel/readable-text';
import { type Components, schemaOf } from '../../../../infra/server/http/json-schema';
import { openApi } from '../../../../infra/server/http/openapi';
import { bind, route } from '../../../../infra/server/http/routing/route';

const inline = (codec: t.Any) => schemaOf(codec, new Map());
const Name = text('Name', { maxLength: 9, description: 'What it is called.' });
const Id = brandedText('ThingId', { maxLength: 5, pattern: '[a-z]+' });
const Thing = record('Thing', { id: Id, at: Instant, note: nullable(Name) }, { tags: t.array(Name) });

describe('schema of codecs', () => {
  const nameSchema = {
    type: 'string',
    minLength: 1,
    maxLength: 9,
    pattern: contentPatterns.line,
    description: 'What it is called.',
  };
  const booleans = { type: 'array', items: { type: 'boolean' } };
  for (const [what, codec, schema] of [
    ['bounded numbers', integer(0, 9), { type: 'integer', minimum: 0, maximum: 9 }],
    ['lists', t.array(t.boolean), { type: 'array', items: { type: 'boolean' } }],
    ['closed words', oneOf('color', ['red', 'blue']), { type: 'string', enum: ['red', 'blue'] }],
    ['literals', t.literal(1), { const: 1 }],
    ['unions of literals', t.union([t.literal('a'), t.literal(2)]), { enum: ['a', 2] }],
    ['what may be null', nullable(t.string), { anyOf: [{ type: 'string' }, { type: 'null' }] }],
    ['dictionaries', t.record(t.string, t.number), { type: 'object', additionalProperties: { type: 'number' } }],
    ['bounds of lists', listOf('few', t.boolean, 3, 1), { ...booleans, maxItems: 3, minItems: 1 }],
    [
      'bounds and keys of maps',
      mapOf('some', { key: Name, value: t.boolean, most: 2 }),
      { type: 'object', propertyNames: nameSchema, additionalProperties: { type: 'boolean' }, maxProperties: 2 },
    ],
    ['further conditions', constrained(t.array(t.boolean), { uniqueItems: true }), { ...booleans, uniqueItems: true }],
    ['what is not known', t.unknown, {}],
  ] as const)
    it(`shows ${what}`, () => assert.deepEqual(inline(codec), schema));

  it('names components once, through records, optional and nullable fields', () => {
    const components: Components = new Map();
    assert.deepEqual(schemaOf(Thing, components), { $ref: '#/components/schemas/Thing' });
    assert.deepEqual(components.get('Name'), nameSchema);
    assert.deepEqual(components.get('ThingId'), {
      type: 'string',
      minLength: 1,
      maxLength: 5,
      pattern: '^(?:[a-z]+)$',
    });
    assert.deepEqual(components.get('Thing'), {
      type: 'object',
      properties: {
        id: { $ref: '#/components/schemas/ThingId' },
        at: { $ref: '#/components/schemas/Instant' },
        note: { anyOf: [{ $ref: '#/components/schemas/Name' }, { type: 'null' }] },
        tags: { type: 'array', items: { $ref: '#/components/schemas/Name' } },
      },
      required: ['id', 'at', 'note'],
    });
  });

  it('says of bodies, at every depth, that they take no other fields', () => {
    const components: Components = new Map();
    schemaOf(record('Outer', { things: t.array(Thing), free: t.record(t.string, Name) }), components, 'closed');
    assert.deepEqual(components.get('Outer')?.additionalProperties, false);
    assert.deepEqual(components.get('Thing')?.additionalProperties, false);
  });

  it('refuses one name for two codecs', () => {
    const pair = record('Pair', { one: Name, other: text('Name', { maxLength: 10 }) });
    assert.throws(() => inline(pair), /two codecs are named Name/);
  });
});

describe('openapi', () => {
  const document = openApi('things', [
    bind(
      {},
      route<object>()({
        method: 'post',
        path: '/v1/boxes/:id/things',
        operation: 'addThing',
        summary: 'Adds a thing.',
        access: { scopes: ['things:write'] },
        params: record('Params', { id: Id }),
        query: record('Query', {}, { dry: Name }),
        body: Thing,
        headers: [{ name: 'If-Match', description: 'The revision expected.' }],
        answers: { 201: { description: 'Added.', body: record('Added', { id: Id }), headers: ['ETag'] } },
        problems: { 'box-full': { status: 409, title: 'The box is full' } },
        handle: async () => ({ status: 201 }),
      }),
    ),
  ]);
  const operation = document.paths['/v1/boxes/{id}/things']?.post as Record<string, Record<string, never>>;

  it('shows path, query and header parameters', () => {
    const parameters = (operation.parameters as unknown as { name: string; in: string; required: boolean }[]).map(
      ({ name, in: place, required }) => [name, place, required],
    );
    assert.deepEqual(parameters, [
      ['id', 'path', true],
      ['dry', 'query', false],
      ['If-Match', 'header', false],
    ]);
  });
  it('shows body, answers, headers and scopes', () => {
    const { requestBody, responses, security } = operation as never as Record<string, never>;
    const content = (name: string, example: unknown) => ({
      'application/json': { schema: { $ref: `#/components/schemas/${name}` }, example },
    });
    const thing = { id: 'text', at: '2026-01-31T12:00:00.000Z', note: 'text' };
    assert.deepEqual(requestBody, { required: true, content: content('Thing', thing) });
    assert.deepEqual(responses?.['201'], {
      description: 'Added.',
      headers: { ETag: { schema: { type: 'string' } } },
      content: content('Added', { id: 'text' }),
    });
    assert.deepEqual(security, [{ bearer: ['things:write'] }]);
  });
  it('shows the problems of the route and of every route, by status', () => {
    const { responses = {} } = operation;
    assert.deepEqual(Object.keys(responses), ['201', '400', '401', '403', '409', '413', '415', '500', '503', '504']);
    assert.match((responses['409'] as unknown as { description: string }).description, /`box-full`: The box is full/);
  });
});
