import assert from 'node:assert/strict';
import * as t from 'io-ts';
import { Instant, integer, nullable, oneOf, record, text } from '../../domain/kernel/codec';
import { schemaOf } from '../../infra/server/http/json-schema';
import { openApi } from '../../infra/server/http/openapi';
import type { BoundRoute } from '../../infra/server/http/routing/route';
import { findMismatch, type Shape } from '../../packages/client/src/shape';
import { type Document, filesOf } from '../../tools/generate-client/render-files';
import { shapeOf, typeOf } from '../../tools/generate-client/schema-types';

const Name = text('Name', { maxLength: 9 });
const Thing = record('Thing', { id: Name, at: Instant }, { 'odd-name': nullable(integer(0)) });

const inline = (codec: t.Any) => schemaOf(codec, new Map());

describe('client: types of schemas', () => {
  for (const [what, codec, type] of [
    ['closed words', oneOf('color', ['red', 'blue']), '"red" | "blue"'],
    ['what may be null', nullable(t.string), 'string | null'],
    ['lists of unions', t.array(t.union([t.string, t.number])), 'ReadonlyArray<string | number>'],
    ['tuples', t.tuple([t.string, t.literal(4)]), 'readonly [string, 4]'],
    ['dictionaries', t.record(t.string, t.boolean), '{ readonly [name: string]: boolean }'],
    ['what is not known', t.unknown, 'unknown'],
    ['names', Thing, 'Thing'],
    [
      'records',
      record('a thing', { id: t.string }, { 'odd-name': t.number }),
      '{ readonly id: string; readonly "odd-name"?: number; }',
    ],
  ] as const)
    it(`writes ${what}`, () => assert.equal(typeOf(inline(codec)), type));
});

describe('client: shapes of schemas', () => {
  const components = new Map();
  const schema = schemaOf(t.array(Thing), components);
  /** Names in it lead to the shapes of these names, as in the generated file. */
  const linked = (shape: ReturnType<typeof shapeOf>): Shape =>
    JSON.parse(JSON.stringify(shape), (key, value) =>
      key === 'of' ? () => linked(shapeOf(components.get(value) ?? {})) : value,
    ) as Shape;
  const misfit = (value: unknown) => findMismatch(linked(shapeOf(schema)), value);
  const thing = { id: 'a', at: '2026-01-31T12:00:00.000Z', 'odd-name': null };

  it('fits what codecs write, and what is more than that', () => {
    for (const value of [[], [thing], [{ ...thing, 'odd-name': 7 }], [{ id: '', at: 'later', more: [] }]])
      assert.equal(misfit(value), undefined);
  });

  it('names the first place that differs', () => {
    for (const [value, pointer, expected] of [
      [{}, '', 'a list'],
      [[thing, 7], '/1', 'an object'],
      [[{ ...thing, at: 7 }], '/0/at', 'a string'],
      [[{ ...thing, at: undefined }], '/0/at', 'a string'],
      [[{ ...thing, 'odd-name': 'x' }], '/0/odd-name', 'a number'],
      [[Object.create(thing)], '/0/id', 'a string'],
    ] as const)
      assert.deepEqual(misfit(value), { pointer, expected });
  });
});

describe('client: generated files', () => {
  const made = (changes: Partial<BoundRoute>): BoundRoute => ({
    method: 'get',
    path: '/v1/things/:id',
    operation: 'getThing',
    summary: 'One thing. */',
    access: { scopes: [] },
    params: record('ThingParams', { id: Name }) as never,
    answers: { 200: { description: 'It.', body: Thing } },
    handle: async () => ({ status: 200 }),
    ...changes,
  });
  const filesWith = (...routes: readonly Partial<BoundRoute>[]) =>
    filesOf(openApi('things', routes.map(made)) as Document, ['too-early']);

  it('distinguish kinds by what routes declare', () => {
    const key = { name: 'Idempotency-Key', description: 'Its name.' };
    const page = record('Page', { items: t.array(Thing), next_cursor: nullable(t.string) });
    const cursor = record('PageQuery', {}, { cursor: t.string });
    const { 'operations.ts': operations = '' } = filesWith(
      {},
      { method: 'put', operation: 'putThing', path: '/a', headers: [key] },
      { method: 'post', operation: 'pokeThing', path: '/b' },
      {
        operation: 'listThings',
        path: '/c',
        query: cursor as never,
        answers: { 200: { description: '', body: page } },
      },
      { operation: 'listAll', path: '/d', answers: { 200: { description: '', body: page } } },
      { operation: 'followThings', path: '/e', stream: 'things' },
      { operation: 'followOne', path: '/f', stream: true },
    );
    const kinds = [...operations.matchAll(/"operation":"(\w+)","kind":"(\w+)"/g)].map(([, name, kind]) => [name, kind]);
    assert.deepEqual(Object.fromEntries(kinds), {
      getThing: 'query',
      putThing: 'command',
      pokeThing: 'write',
      listThings: 'page',
      listAll: 'query',
      followThings: 'stream',
      followOne: 'stream',
    });
    assert.equal(operations.match(/"stream":/g)?.length, 1);
  });

  it('request no ranges, and no text where there is JSON', () => {
    const answers = { 200: { description: '', body: Thing, plainText: true, ranges: true } } as const;
    const { 'operations.ts': operations = '' } = filesWith({ answers });
    assert.match(operations, /"answers":\{"200":\{[^{}]*\}\}/);
    const document = openApi('things', [made({ answers })]) as unknown as {
      readonly paths: { readonly [path: string]: { readonly get: { readonly responses: object } } };
    };
    const responses = Object.values(document.paths)[0]?.get.responses as {
      readonly [status: string]: { readonly content: object };
    };
    assert.deepEqual(Object.keys(responses['200']?.content ?? {}), ['application/json', 'text/plain']);
    assert.deepEqual(Object.keys(responses['206']?.content ?? {}), ['text/plain']);
  });

  it('keep only what is used, say every code, and cannot be broken out of', () => {
    const { 'types.ts': types = '' } = filesWith({ problems: { 'thing-gone': { status: 410, title: 'Gone' } } });
    assert.match(
      types,
      /export type Thing = \{ readonly id: Name; readonly at: Instant; readonly "odd-name"\?: number \| null; \};/,
    );
    assert.match(
      types,
      /\/\*\* One thing\. \* \/ \*\/\nreadonly getThing: Operation<'query', \{ readonly id: Name; \}, Thing, /,
    );
    assert.match(types, /"thing-gone"/);
    assert.match(types, /GatewayCode = "too-early";/);
    assert.doesNotMatch(types, /Problem/);
  });

  it('are refused where two names would meet', () => {
    const body = record('Body', { id: Name }) as never;
    assert.throws(() => filesWith({}, { path: '/v1/other' }), /two operations are named getThing/);
    assert.throws(() => filesWith({ operation: 'close' }), /close/);
    assert.throws(() => filesWith({ query: body }), /names of .* meet in one input/);
  });
});
