/** OpenAPI 3.1 of a service, made of its routes: the documentation cannot differ from what is decoded. */
import type { JsonSchema } from '../../../domain/kernel/codec';
import { version } from '../runtime/version';
import { exampleOf } from './example';
import { groupBy } from './group-by';
import { type Components, propertiesOf, schemaOf } from './json-schema';
import { commonProblems, type ProblemTable } from './problem';
import { problemSchema, problemWith } from './problem-schema';
import { refusesUnknown } from './routing/request-input';
import { type AnswerDoc, type BoundRoute, isTransferRoute } from './routing/route';

export interface OpenApi {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: { readonly [path: string]: { readonly [method: string]: unknown } };
  /** Pages for people, by path and method as `paths`: what stands before the service knows them, and no documentation shows them. */
  readonly 'x-pages'?: { readonly [path: string]: { readonly [method: string]: unknown } };
  readonly components: {
    readonly schemas: { readonly [name: string]: JsonSchema };
    readonly securitySchemes: { readonly [name: string]: unknown };
  };
}

const everyRoute = ['invalid-input', 'internal-error', 'service-unavailable', 'timeout'] as const;
const withToken = ['unauthenticated', 'forbidden'] as const;
const withBody = ['malformed-body', 'body-too-large', 'unsupported-media-type'] as const;

const hasRanges = ({ answers }: BoundRoute): boolean => Object.values(answers).some(({ ranges }) => ranges === true);

const problemsOf = (route: BoundRoute): ProblemTable => {
  const codes = [
    ...everyRoute,
    ...(route.access === 'public' ? [] : withToken),
    ...(route.body === undefined && route.bytes === undefined ? [] : withBody),
    ...(route.bytes === undefined ? [] : (['request-timeout'] as const)),
    ...(hasRanges(route) ? (['range-not-satisfiable'] as const) : []),
  ];
  return { ...Object.fromEntries(codes.map((code) => [code, commonProblems[code]])), ...route.problems };
};

interface ResponseDoc {
  readonly description: string;
  readonly headers?: { readonly [name: string]: unknown };
  readonly content?: { readonly [type: string]: unknown };
  /** Titles by code. */
  readonly 'x-problems'?: { readonly [code: string]: string };
}
type Responses = { readonly [status: string]: ResponseDoc };

const problemResponses = (route: BoundRoute): Responses => {
  const byStatus = groupBy(Object.entries(problemsOf(route)), ([, { status }]) => status);
  const responses = [...byStatus].map(([status, rows]) => [
    String(status),
    {
      description: rows.map(([code, { title }]) => `\`${code}\`: ${title}.`).join('\n\n'),
      content: { 'application/problem+json': { schema: problemWith(rows.map(([code]) => code)) } },
      'x-problems': Object.fromEntries(rows.map(([code, { title }]) => [code, title])),
    },
  ]);
  return Object.fromEntries(responses);
};

const binary = { schema: { type: 'string', format: 'binary' } };
const bytesOf = (mediaTypes: readonly string[]) => Object.fromEntries(mediaTypes.map((type) => [type, binary]));
interface DescribedContent {
  readonly type: string;
  readonly schema: JsonSchema;
  readonly example: unknown;
}

const contentOf = ({ type, schema, example }: DescribedContent) => ({
  [type]: { schema, ...(example === undefined ? {} : { example }) },
});

const answerResponse = (answer: AnswerDoc, components: Components): ResponseDoc => {
  const type = answer.contentType ?? 'application/json';
  const hasContent = answer.body !== undefined || type === 'text/event-stream';
  const schema = answer.body === undefined ? { type: 'string' } : schemaOf(answer.body, components);
  // Events of a stream are framed: their data alone would not be what is received.
  const content =
    type === 'text/event-stream'
      ? { [type]: { schema } }
      : contentOf({ type, schema, example: answer.example ?? exampleOf(schema, components) });
  const headers = Object.fromEntries((answer.headers ?? []).map((name) => [name, { schema: { type: 'string' } }]));
  if (answer.bytes !== undefined)
    return {
      description: answer.description,
      headers: { ...headers, ...rangeHeaders(answer) },
      content: bytesOf(answer.bytes),
    };
  const text = answer.plainText === true ? textContent : {};
  const all = { ...(hasContent ? content : {}), ...text };
  return {
    description: answer.description,
    headers: { ...headers, ...rangeHeaders(answer) },
    ...(Object.keys(all).length > 0 ? { content: all } : {}),
  };
};

const textContent = { 'text/plain': { schema: { type: 'string' } } };

const rangeHeaders = ({ ranges }: AnswerDoc) =>
  ranges === true ? { 'Accept-Ranges': { schema: { type: 'string' } } } : {};

/** What an answer with ranges may be instead. */
const partOf = ({ body: _, ...answer }: AnswerDoc): AnswerDoc => ({
  ...answer,
  description: 'The range of bytes that was requested.',
  headers: [...(answer.headers ?? []), 'Content-Range'],
});

const answersOf = ({ answers }: BoundRoute): readonly (readonly [string, AnswerDoc])[] =>
  Object.entries(answers).flatMap(([status, answer]) =>
    answer.ranges === true
      ? [[status, answer] as const, ['206', partOf(answer)] as const]
      : [[status, answer] as const],
  );

/** A status may be answered both in a route's own form and as a problem. */
const responsesOf = (route: BoundRoute, components: Components): Responses => {
  const refusals = problemResponses(route);
  const own = answersOf(route).map(([status, answer]): [string, ResponseDoc] => {
    const response = answerResponse(answer, components);
    const refusal = refusals[status];
    const description = [response.description, refusal?.description].filter(Boolean).join('\n\n');
    const content = { ...refusal?.content, ...response.content };
    const problems = refusal === undefined ? {} : { 'x-problems': refusal['x-problems'] };
    return [status, { ...response, ...problems, description, ...(Object.keys(content).length > 0 ? { content } : {}) }];
  });
  return { ...refusals, ...Object.fromEntries(own) };
};

const rangeParameters: NonNullable<BoundRoute['headers']> = [
  { name: 'Range', description: 'One range of bytes (RFC 9110, section 14.2).' },
  { name: 'If-Range', description: 'An ETag: while the resource has it the range is answered, otherwise the whole.' },
];

const parametersOf = (route: BoundRoute, components: Components): readonly unknown[] => {
  const part = (place: 'path' | 'query', codec: BoundRoute['params']) => {
    const properties = codec === undefined ? undefined : propertiesOf(codec);
    return Object.entries(properties?.fields ?? {}).map(([name, field]) => {
      const schema = schemaOf(field, components);
      const required = place === 'path' || properties?.required.includes(name) === true;
      return { name, in: place, required, schema, example: exampleOf(schema, components) };
    });
  };
  const headers = [...(route.headers ?? []), ...(hasRanges(route) ? rangeParameters : [])].map(
    ({ name, description, required = false, pattern }) => ({
      name,
      in: 'header',
      description,
      required,
      schema: { type: 'string', ...(pattern === undefined ? {} : { pattern }) },
    }),
  );
  return [...part('path', route.params), ...part('query', route.query), ...headers];
};

const bodyOf = (route: BoundRoute, components: Components) => {
  if (route.bytes !== undefined) {
    const { mediaTypes, maxBytes } = route.bytes;
    return { requestBody: { description: `Streamed. At most ${maxBytes} bytes.`, content: bytesOf(mediaTypes) } };
  }
  if (route.body === undefined) return {};
  const type = route.bodyType === 'form' ? 'application/x-www-form-urlencoded' : 'application/json';
  const closing = refusesUnknown(route) ? 'closed' : 'open';
  const schema = schemaOf(route.body, components, closing);
  return {
    requestBody: {
      required: route.bodyRequired ?? true,
      content: contentOf({ type, schema, example: route.example ?? exampleOf(schema, components, 'required') }),
    },
  };
};

/** Undefined for a public route without a group: the gateway limits it by its path. */
const limitGroupOf = ({ method, access, danger, limitGroup, question }: BoundRoute): string | undefined => {
  if (limitGroup !== undefined) return limitGroup;
  if (danger === true) return 'danger';
  if (access === 'public') return undefined;
  return method === 'get' || question === true ? 'read' : 'command';
};

/** What the gateway decides by, of each route as it is matched. */
const gatewayRules = (route: BoundRoute) => {
  const limitGroup = limitGroupOf(route);
  return {
    ...(route.sensitive === true || route.danger === true ? { 'x-sensitive': true } : {}),
    ...(route.danger === true ? { 'x-danger': true } : {}),
    ...(limitGroup === undefined ? {} : { 'x-limit-group': limitGroup }),
    security: route.access === 'public' ? [] : [{ bearer: route.access.scopes }],
  };
};

const operationOf = (route: BoundRoute, components: Components) => ({
  operationId: route.operation,
  summary: route.summary,
  ...(route.description === undefined ? {} : { description: route.description }),
  ...(route.stream === undefined ? {} : { 'x-stream': route.stream }),
  ...(isTransferRoute(route) ? { 'x-bytes': true } : {}),
  ...gatewayRules(route),
  parameters: parametersOf(route, components),
  ...bodyOf(route, components),
  responses: responsesOf(route, components),
});

/** A colon that names no parameter has a backslash before it. */
const templated = (path: string): string =>
  path.replaceAll(/(\\?):([A-Za-z_]+)/g, (_, escaped: string, name: string) =>
    escaped === '' ? `{${name}}` : `:${name}`,
  );

type Paths = OpenApi['paths'];

const pathsOf = (routes: readonly BoundRoute[], describe: (route: BoundRoute) => unknown): Paths =>
  Object.fromEntries(
    [...groupBy(routes, ({ path }) => templated(path))].map(([path, at]) => [
      path,
      Object.fromEntries(at.map((route) => [route.method, describe(route)])),
    ]),
  );

export const openApi = (title: string, all: readonly BoundRoute[]): OpenApi => {
  const components: Components = new Map([['Problem', problemSchema]]);
  const isPage = ({ page }: BoundRoute): boolean => page === true;
  return {
    openapi: '3.1.0',
    info: { title, version },
    paths: pathsOf(
      all.filter((route) => !isPage(route)),
      (route) => operationOf(route, components),
    ),
    'x-pages': pathsOf(all.filter(isPage), gatewayRules),
    components: {
      schemas: Object.fromEntries(components),
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    },
  };
};
