/** Every operation's examples, as the API document shows them, are what the routes take and answer. */
import assert from 'node:assert/strict';
import { isRight } from 'fp-ts/Either';
import type * as t from 'io-ts';
import { decode } from '../../../../domain/kernel/codec';
import { openApi } from '../../../../infra/server/http/openapi';
import type { BoundRoute } from '../../../../infra/server/http/routing/route';
import { routesByService } from '../../../../tools/generate-client/served-document';

interface Content {
  readonly [type: string]: { readonly example?: unknown };
}
interface Described {
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly example?: unknown }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: { readonly [status: string]: { readonly content?: Content } };
}

const describedBy = (title: string, route: BoundRoute): Described =>
  Object.values(Object.values(openApi(title, [route]).paths)[0] ?? {})[0] as Described;

const exampleIn = (content: Content | undefined): unknown =>
  Object.entries(content ?? {}).find(([type]) => type !== 'application/problem+json')?.[1].example;

const faultsOf = (codec: t.Mixed, example: unknown) => {
  const decoded = decode(codec, example);
  return isRight(decoded) ? [] : decoded.left;
};

/** Answers are written by the routes, so they are of the codec's type; some codecs read another form of it. */
const isAnswer = (codec: t.Mixed, example: unknown): boolean => codec.is(example) || isRight(decode(codec, example));

/** Of path and query. */
const parametersIn = (place: string, { parameters }: Described): unknown =>
  Object.fromEntries(parameters.filter((one) => one.in === place).map(({ name, example }) => [name, String(example)]));

for (const [service, routes] of Object.entries(routesByService()))
  for (const route of routes.filter(({ page }) => page !== true))
    describe(`example of ${service}: ${route.operation}`, () => {
      const described = describedBy(service, route);

      it('is a request that the route decodes', () => {
        const { body, params, query } = route;
        if (body !== undefined) assert.deepEqual(faultsOf(body, exampleIn(described.requestBody?.content)), []);
        if (params !== undefined) assert.deepEqual(faultsOf(params, parametersIn('path', described)), []);
        if (query !== undefined) assert.deepEqual(faultsOf(query, parametersIn('query', described)), []);
      });

      for (const [status, { body, contentType }] of Object.entries(route.answers))
        if (body !== undefined && contentType !== 'text/event-stream')
          it(`is an answer of status ${status}`, () => {
            const example = exampleIn(described.responses[status]?.content);
            assert.ok(isAnswer(body, example), JSON.stringify({ example, faults: faultsOf(body, example) }));
          });
    });
