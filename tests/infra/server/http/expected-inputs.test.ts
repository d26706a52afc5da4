/** Expectations that refused values are answered with are phrases that callers can act on, at every place of every route's input. */
import assert from 'node:assert/strict';
import { isLeft, isRight } from 'fp-ts/Either';
import type * as t from 'io-ts';
import { decode } from '../../../../domain/kernel/codec';
import { exampleOf } from '../../../../infra/server/http/example';
import { type Components, schemaOf } from '../../../../infra/server/http/json-schema';
import { routesByService } from '../../../../tools/generate-client/served-document';

type Path = readonly string[];

const pathsIn = (value: unknown, path: Path = []): readonly Path[] => [
  path,
  ...(typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => pathsIn(inner, [...path, key]))
    : []),
];

const replaced = (value: unknown, [key, ...rest]: Path, by: unknown): unknown => {
  if (key === undefined) return by;
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === key ? replaced(item, rest, by) : item));
  const fields = value as { readonly [field: string]: unknown };
  return { ...fields, [key]: replaced(fields[key], rest, by) };
};

const exampleFor = (codec: t.Any): unknown => {
  const components: Components = new Map();
  return exampleOf(schemaOf(codec, components, 'closed'), components);
};

const wrongValues = ['', '\u0007', 'Ω'.repeat(9), 1.5, -1, true, null, [], {}];

describe('what a refused input is told', () => {
  it('is a phrase, or null, and never the name of a codec', () => {
    const names = new Set<string>();
    for (const { operation, params, query, body } of Object.values(routesByService()).flat())
      for (const [part, codec] of Object.entries({ params, query, body })) {
        if (codec === undefined) continue;
        const example = exampleFor(codec);
        for (const path of pathsIn(example))
          for (const wrong of wrongValues) {
            const decoded = decode(codec as t.Any, replaced(example, path, wrong));
            if (isRight(decoded)) continue;
            assert.ok(isLeft(decoded));
            for (const { pointer, expected } of decoded.left)
              if (!expected.includes(' ') && expected !== 'null' && expected !== 'text')
                names.add(`${operation} /${part}${pointer} ${expected}`);
          }
      }
    assert.deepEqual([...names], []);
  });
});
