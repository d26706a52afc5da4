/** Merges the OpenAPI documents of all services. The last document of an unavailable service stays. */
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { decodeStored, record } from '../../../domain/kernel/codec';
import type { CallerSigner } from '../../server/http/identity/caller-signer';
import type { OpenApi } from '../../server/http/openapi';
import { version } from '../../server/runtime/version';
import { fetchServiceAnswer, type Upstream } from '../proxy/upstreams';
import { withGatewayProblems } from './gateway-problems';
import { groupByTag } from './openapi-tags';
import { withRateLimitResponses } from './rate-limit-responses';
import type { ReferenceDocument } from './reference/document';
import { introduction } from './reference/introduction';

type Part = Pick<OpenApi, 'paths' | 'components'>;

const anything = t.record(t.string, t.unknown);
const OpenApiCodec = record(
  'OpenApi',
  {
    paths: t.record(t.string, anything),
    components: record('Components', { schemas: t.record(t.string, anything), securitySchemes: anything }),
  },
  { 'x-pages': t.record(t.string, anything) },
);

/** The document of one service. */
type ServicePart = Part & Pick<OpenApi, 'x-pages'>;

/** The public document of all services. */
export interface OpenApiDocument {
  (): Promise<ServedDocument>;
  /** Undefined until the service has answered once. */
  readonly partOf: (upstream: Upstream) => ServicePart | undefined;
  /** Refetches the documents of all services. */
  readonly refresh: () => Promise<void>;
}

const references = /"#\/components\/schemas\/([^"]+)"/g;
const referencedSchemas = (content: unknown): readonly string[] =>
  [...JSON.stringify(content).matchAll(references)].map(([, name = '']) => name);

type Schemas = Part['components']['schemas'];

/** Schema names with different contents in the two parts, directly or through references. */
const conflictingSchemas = (own: Schemas, taken: Schemas): ReadonlySet<string> => {
  const shared = Object.keys(own).filter((name) => name in taken);
  const found = new Set(shared.filter((name) => JSON.stringify(taken[name]) !== JSON.stringify(own[name])));
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const name of shared) if (referencedSchemas(own[name]).some((other) => found.has(other))) found.add(name);
  }
  return found;
};

/** Renames conflicting schemas of the later service. */
const renameSchemas = (part: Part, taken: Schemas, suffix: string): Part => {
  const { schemas } = part.components;
  const clashes = conflictingSchemas(schemas, taken);
  const own = (name: string): string => (clashes.has(name) ? `${name}${suffix}` : name);
  const entries = Object.entries(schemas).map(([name, schema]) => [own(name), schema]);
  const documented = { ...part, components: { ...part.components, schemas: Object.fromEntries(entries) } };
  const content = JSON.stringify(documented).replaceAll(
    references,
    (_all, name: string) => `"#/components/schemas/${own(name)}"`,
  );
  return JSON.parse(content) as Part;
};

const mergeParts = (one: Part, other: Part, suffix: string): Part => {
  const { paths, components } = renameSchemas(other, one.components.schemas, suffix);
  const merged = { ...one.paths };
  for (const [path, methods] of Object.entries(paths)) merged[path] = { ...merged[path], ...methods };
  return {
    paths: merged,
    components: {
      schemas: { ...one.components.schemas, ...components.schemas },
      securitySchemes: { ...one.components.securitySchemes, ...components.securitySchemes },
    },
  };
};

const empty: Part = { paths: {}, components: { schemas: {}, securitySchemes: {} } };

export const merge = (parts: readonly Part[]): Part =>
  parts.reduce((all, part, index) => mergeParts(all, part, String(index + 1)), empty);

export interface OpenApiDocumentOptions {
  readonly upstreams: readonly Upstream[];
  readonly signer: CallerSigner;
  readonly publicUrl: string;
  /** Operations of the gateway itself. */
  readonly own?: Part;
}

type ServedDocument = OpenApi &
  Pick<ReferenceDocument, 'tags'> & { readonly servers: readonly { readonly url: string }[] };

const withServers = (parts: readonly Part[], publicUrl: string): ServedDocument => {
  const { paths, components } = merge(parts);
  const info = { title: 'Septet', version, description: introduction };
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: publicUrl }],
    ...groupByTag(withRateLimitResponses(withGatewayProblems(paths))),
    components,
  };
};

const cacheMilliseconds = 10_000;

export const createOpenApiDocument = ({
  upstreams,
  signer,
  publicUrl,
  own = empty,
}: OpenApiDocumentOptions): OpenApiDocument => {
  const documents = new Map<Upstream, ServicePart>();
  const etags = new Map<Upstream, string | undefined>();
  let requestedAt = Number.NEGATIVE_INFINITY;
  let latest: ServedDocument | undefined;
  const refresh = async (upstream: Upstream): Promise<void> => {
    const etag = etags.get(upstream);
    const answer = await fetchServiceAnswer(upstream, signer, { path: '/openapi.json', etag });
    if (isLeft(answer) || answer.right === 'unchanged') return;
    const document = decodeStored(OpenApiCodec, answer.right.content);
    if (isLeft(document)) return;
    etags.set(upstream, answer.right.etag);
    // An unchanged document keeps the merged result.
    if (JSON.stringify(documents.get(upstream)) === JSON.stringify(document.right)) return;
    documents.set(upstream, document.right);
    latest = undefined;
  };
  let refreshing: Promise<unknown> | undefined;
  /** Concurrent callers share one refresh; otherwise each would query every service. */
  const refreshAll = (): Promise<unknown> => {
    refreshing ??= Promise.all(upstreams.map(refresh)).finally(() => {
      refreshing = undefined;
    });
    return refreshing;
  };
  const whole = async (): Promise<ServedDocument> => {
    if (performance.now() - requestedAt > cacheMilliseconds || documents.size < upstreams.length) {
      requestedAt = performance.now();
      await refreshAll();
    }
    // Built once and reused until a document changes: the route is public.
    latest ??= withServers([...upstreams.flatMap((upstream) => documents.get(upstream) ?? []), own], publicUrl);
    return latest;
  };
  return Object.assign(whole, {
    partOf: (upstream: Upstream) => documents.get(upstream),
    refresh: async (): Promise<void> => {
      requestedAt = performance.now();
      await refreshAll();
    },
  });
};
