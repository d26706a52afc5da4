import assert from 'node:assert/strict';
import * as t from 'io-ts';
import { integer, nullable, record, text } from '../../../../domain/kernel/codec';
import { unknownFields } from '../../../../infra/server/http/routing/unknown-fields';
import { servedRoutes } from '../../../../tools/generate-client/served-document';

const Name = text('Name', { maxLength: 9 });
const Part = record('Part', { size: integer() }, { note: nullable(Name) });
const pointersIn = (codec: t.Any, value: unknown) => unknownFields(codec, value).map(({ pointer }) => pointer);

describe('unknown fields', () => {
  for (const [what, codec, value, pointers] of [
    ['of a record', Part, { size: 1, note: null, other: 1 }, ['/other']],
    ['of what every object inherits', Part, { size: 1, toString: 1 }, ['/toString']],
    ['in lists', t.array(Part), [{ size: 1 }, { size: 1, other: 1 }], ['/1/other']],
    ['in read-only lists', t.readonlyArray(Part), [{ size: 1, other: 1 }], ['/0/other']],
    ['in tuples', t.tuple([Part, t.string]), [{ size: 1, other: 1 }, 'a'], ['/0/other']],
    [
      'in the values of a map, whose keys are free',
      t.record(t.string, Part),
      { a: { size: 1, 'x/~': 1 } },
      ['/a/x~1~0'],
    ],
    [
      'in what may be null',
      record('Outer', { part: nullable(Part) }),
      { part: { size: 1, other: 1 } },
      ['/part/other'],
    ],
    ['in refinements', t.refinement(Part, () => true), { size: 1, other: 1 }, ['/other']],
    ['in intersections', t.intersection([Part, record('More', { more: Name })]), { size: 1, more: 'a', b: 1 }, ['/b']],
    ['not in free-form objects', record('Keys', { keys: t.array(t.UnknownRecord) }), { keys: [{ kty: 'EC' }] }, []],
    ['not in what is of another type anyway', Part, 'text', []],
  ] as const)
    it(what, () => assert.deepEqual(pointersIn(codec, value), pointers));

  it('of a union are those of the member that knows most', () => {
    const either = t.union([record('One', { a: Name }), record('Other', { a: Name, b: Name })]);
    assert.deepEqual(pointersIn(either, { a: 'x', b: 'y' }), []);
    assert.deepEqual(pointersIn(either, { a: 'x', b: 'y', c: 1 }), ['/c']);
  });

  it('are answered up to a bound', () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`f${index}`, 1]));
    assert.equal(unknownFields(Part, { size: 1, ...many }).length, 32);
  });
});

/** Operations of documents may be written by newer clients, feeds of places carry fields of their own, and browsers write requests of licences. */
const openOperations = ['applyPlaceChanges', 'requestVideoLicense', 'requestSharedVideoLicense', 'commitOperations'];

/** Schemas under these are conditions of a record: they describe none. */
const conditions = new Set(['if', 'then', 'else']);

interface Schema {
  readonly $ref?: string;
  readonly properties?: object;
  readonly additionalProperties?: unknown;
}

describe('every body that the gateway documents', () => {
  const { paths, components } = servedRoutes() as unknown as {
    paths: Record<
      string,
      Record<string, { operationId: string; requestBody?: { content: Record<string, { schema: Schema }> } }>
    >;
    components: { schemas: Record<string, Schema> };
  };
  const openRecords = (schema: unknown, seen: Set<string>): readonly string[] => {
    if (typeof schema !== 'object' || schema === null) return [];
    const { $ref = '', properties, additionalProperties } = schema as Schema;
    const name = $ref.slice($ref.lastIndexOf('/') + 1);
    const inner = name === '' || seen.has(name) ? [] : openRecords(components.schemas[name], seen.add(name));
    const own = properties !== undefined && additionalProperties !== false ? [Object.keys(properties).join()] : [];
    const parts = Object.entries(schema).flatMap(([keyword, part]) => (conditions.has(keyword) ? [] : [part]));
    return [...own, ...inner, ...parts.flatMap((part) => openRecords(part, seen))];
  };
  const bodies = Object.values(paths).flatMap((path) =>
    Object.values(path).flatMap(({ operationId, requestBody }) => {
      const body = requestBody?.content['application/json'];
      return body === undefined ? [] : [[operationId, body.schema] as const];
    }),
  );

  it('is closed, besides operations of documents and feeds, and requests of licences that browsers write', () => {
    const open = bodies.filter(([, schema]) => openRecords(schema, new Set()).length > 0);
    assert.deepEqual(
      open.map(([operation]) => operation),
      openOperations,
    );
    assert.ok(bodies.length > 40);
  });
});
