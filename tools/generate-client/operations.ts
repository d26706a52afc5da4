/** Operations of the OpenAPI document, as the client needs to know them. */
import type { Row as AnyRow, Kind } from '../../packages/client/src/operation';
import { keyOf, nameOf, type Schema, shapeOf, typeOf } from './schema-types';

/** Refers to shapes by their names. */
export type Row = AnyRow<string>;

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
}

type Content = { readonly [type: string]: { readonly schema: Schema } };

export interface OperationDoc {
  readonly operationId: string;
  readonly summary: string;
  /** Its name on the WebSocket of streams; true: it is not there. */
  readonly 'x-stream'?: string | true;
  /** Declared by a manifest: bytes or a WebSocket, which the client does not send. */
  readonly 'x-declared'?: boolean;
  /** Its body or an answer is bytes, which the client does not send. */
  readonly 'x-bytes'?: boolean;
  readonly security: readonly unknown[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: { readonly [status: string]: { readonly content?: Content } };
}

export interface Found {
  readonly method: string;
  readonly path: string;
  readonly doc: OperationDoc;
}

export type Components = { readonly [name: string]: Schema };

const at = ({ doc }: Found, place: Parameter['in']): readonly Parameter[] =>
  doc.parameters.filter((parameter) => parameter.in === place);

const successes = ({ doc }: Found): readonly (readonly [number, Schema | undefined])[] =>
  Object.entries(doc.responses)
    // The client requests no ranges.
    .filter(([status]) => status.startsWith('2') && status !== '206')
    .map(([status, { content = {} }]) => [
      Number(status),
      (content['application/json'] ?? content['text/event-stream'])?.schema,
    ]);

const pagings = [
  { parameter: 'cursor', field: 'next_cursor' },
  { parameter: 'cursor', field: 'next' },
  { parameter: 'from', field: 'next' },
] as const;

/** How the next page is requested; undefined if the response is no page. */
const pagingOf = (found: Found, components: Components): Row['next'] => {
  const [, schema] = successes(found)[0] ?? [];
  const page = schema?.$ref === undefined ? schema : components[nameOf(schema.$ref)];
  const { items, ...others } = page?.properties ?? {};
  if (found.method !== 'get' || items?.items === undefined) return undefined;
  const taken = new Set(at(found, 'query').map(({ name }) => name));
  return pagings.find(({ parameter, field }) => taken.has(parameter) && others[field] !== undefined);
};

const kindOf = (found: Found, components: Components): Kind => {
  if (found.doc['x-stream'] !== undefined) return 'stream';
  if (found.method !== 'get') return at(found, 'header').some(isKey) ? 'command' : 'write';
  return pagingOf(found, components) === undefined ? 'query' : 'page';
};

const isKey = ({ name }: Parameter): boolean => name === 'Idempotency-Key';

const bodyOf = ({ doc }: Found): readonly ['json' | 'form', Schema] | undefined => {
  const [type, content] = Object.entries(doc.requestBody?.content ?? {})[0] ?? [];
  if (content === undefined) return undefined;
  return [type === 'application/json' ? 'json' : 'form', content.schema];
};

/** Streams resume by themselves, so the id to begin after is an option, not a filter. */
const places = new Set(['after', 'last_event_id']);

const queryOf = (found: Found): readonly Parameter[] =>
  at(found, 'query').filter(({ name }) => found.doc['x-stream'] === undefined || !places.has(name));

export const rowOf = (found: Found, components: Components): Row => {
  const { doc, method, path } = found;
  const [body] = bodyOf(found) ?? [];
  const query = queryOf(found).map(({ name }) => name);
  const waits = at(found, 'header').some(({ name }) => name === 'Min-Position');
  const next = pagingOf(found, components);
  const answers = successes(found).map(([status, schema]) => [
    status,
    schema === undefined ? 'nothing' : shapeOf(schema),
  ]);
  return {
    operation: doc.operationId,
    kind: kindOf(found, components),
    method: method.toUpperCase() as Row['method'],
    path,
    ...(query.length === 0 ? {} : { query }),
    ...(body === undefined ? {} : { body }),
    ...(next === undefined ? {} : { next }),
    ...(waits ? { waits } : {}),
    ...(doc.security.length === 0 ? { public: true } : {}),
    answers: Object.fromEntries(answers),
    ...(typeof doc['x-stream'] === 'string' ? { stream: doc['x-stream'] } : {}),
  };
};

const inputType = (found: Found): string => {
  const parameters = [...at(found, 'path'), ...queryOf(found)];
  const names = new Set(parameters.map(({ name }) => name));
  if (names.size < parameters.length || names.has('body')) throw new Error(`names of ${found.path} meet in one input`);
  const fields = parameters.map(({ name, required, schema }) => {
    const optional = required === true ? '' : '?';
    return `readonly ${keyOf(name)}${optional}: ${typeOf(schema)}${optional === '' ? '' : ' | undefined'};`;
  });
  const body = bodyOf(found);
  if (fields.length === 0 && body === undefined) return 'Nothing';
  return `{ ${[...fields, ...(body === undefined ? [] : [`readonly body: ${typeOf(body[1])};`])].join(' ')} }`;
};

const bodyType = (found: Found): string => {
  const types = successes(found).map(([, schema]) => (schema === undefined ? 'undefined' : typeOf(schema)));
  return [...new Set(types)].join(' | ') || 'undefined';
};

const codesOf = ({ doc }: Found): readonly string[] =>
  Object.values(doc.responses)
    .flatMap(({ content = {} }) => content['application/problem+json']?.schema.properties?.code?.enum ?? [])
    .map(String)
    .sort();

/** `Operation<'command', { … }, PrincipalAnswer, 'conflict' | …>`. */
export const operationType = (found: Found, components: Components): string => {
  const codes = codesOf(found).map((code) => JSON.stringify(code));
  const types = [inputType(found), bodyType(found), codes.join(' | ') || 'never'];
  return `Operation<'${kindOf(found, components)}', ${types.join(', ')}>`;
};
