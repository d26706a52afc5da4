/** One OpenAPI document of all services, asked of them and kept while they are away. */
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { decode, record } from '../../domain/kernel/codec';
import type { CallerSigner } from '../http/caller-signer';
import type { OpenApi } from '../http/openapi';
import { withLimits } from './documentation-limits';
import { grouped } from './documentation-tags';
import { askJson, type Upstream } from './upstream';

type Part = Pick<OpenApi, 'paths' | 'components'>;

const anything = t.record(t.string, t.unknown);
const Document = record(
  'OpenApi',
  {
    paths: t.record(t.string, anything),
    components: record('Components', { schemas: t.record(t.string, anything), securitySchemes: anything }),
  },
  { 'x-pages': t.record(t.string, anything) },
);

/** What one service says of itself. */
type ServicePart = Part & Pick<OpenApi, 'x-pages'>;

/** Of all services, as anybody may read it. */
export interface Documentation {
  (): Promise<Described>;
  /** Undefined while the service has not answered yet. */
  readonly partOf: (upstream: Upstream) => ServicePart | undefined;
  /** Asks every service again. */
  readonly refresh: () => Promise<void>;
}

const references = /"#\/components\/schemas\/([^"]+)"/g;
const namedIn = (content: unknown): readonly string[] =>
  [...JSON.stringify(content).matchAll(references)].map(([, name = '']) => name);

type Schemas = Part['components']['schemas'];

/** The names that mean something else in both, themselves or through what they refer to. */
const clashing = (own: Schemas, taken: Schemas): ReadonlySet<string> => {
  const shared = Object.keys(own).filter((name) => name in taken);
  const found = new Set(shared.filter((name) => JSON.stringify(taken[name]) !== JSON.stringify(own[name])));
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const name of shared) if (namedIn(own[name]).some((other) => found.has(other))) found.add(name);
  }
  return found;
};

/** Two services may mean different things by one name: the later one's is told apart. */
const renamed = (part: Part, taken: Schemas, suffix: string): Part => {
  const { schemas } = part.components;
  const clashes = clashing(schemas, taken);
  const own = (name: string): string => (clashes.has(name) ? `${name}${suffix}` : name);
  const entries = Object.entries(schemas).map(([name, schema]) => [own(name), schema]);
  const told = { ...part, components: { ...part.components, schemas: Object.fromEntries(entries) } };
  const content = JSON.stringify(told).replaceAll(
    references,
    (_all, name: string) => `"#/components/schemas/${own(name)}"`,
  );
  return JSON.parse(content) as Part;
};

const joined = (one: Part, other: Part, suffix: string): Part => {
  const { paths, components } = renamed(other, one.components.schemas, suffix);
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
  parts.reduce((all, part, index) => joined(all, part, String(index + 1)), empty);

export interface DocumentationOptions {
  readonly upstreams: readonly Upstream[];
  readonly signer: CallerSigner;
  readonly publicUrl: string;
  /** What the gateway answers itself. */
  readonly own?: Part;
}

type Described = OpenApi & { readonly servers: readonly unknown[] };

const described = (parts: readonly Part[], publicUrl: string): Described => {
  const { paths, components } = merge(parts);
  const info = { title: 'Septet', version: '1' };
  return { openapi: '3.1.0', info, servers: [{ url: publicUrl }], ...grouped(withLimits(paths)), components };
};

const keptMilliseconds = 10_000;

export const documentation = ({ upstreams, signer, publicUrl, own = empty }: DocumentationOptions): Documentation => {
  const known = new Map<Upstream, ServicePart>();
  let askedAt = Number.NEGATIVE_INFINITY;
  let shown: Described | undefined;
  const refresh = async (upstream: Upstream): Promise<void> => {
    const answer = await askJson(upstream, signer, '/openapi.json');
    if (isLeft(answer)) return;
    const document = decode(Document, answer.right);
    if (isLeft(document)) return;
    // Mostly it is the same as before, and what was made of it stays.
    if (JSON.stringify(known.get(upstream)) === JSON.stringify(document.right)) return;
    known.set(upstream, document.right);
    shown = undefined;
  };
  let underWay: Promise<unknown> | undefined;
  /** Shared by all who ask meanwhile: without a part, each of them would ask every upstream again. */
  const refreshAll = (): Promise<unknown> => {
    underWay ??= Promise.all(upstreams.map(refresh)).finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
  const whole = async (): Promise<Described> => {
    if (performance.now() - askedAt > keptMilliseconds || known.size < upstreams.length) {
      askedAt = performance.now();
      await refreshAll();
    }
    // Put together once for all who ask until it changes: anybody may.
    shown ??= described([...upstreams.flatMap((upstream) => known.get(upstream) ?? []), own], publicUrl);
    return shown;
  };
  return Object.assign(whole, {
    partOf: (upstream: Upstream) => known.get(upstream),
    refresh: async (): Promise<void> => {
      askedAt = performance.now();
      await refreshAll();
    },
  });
};
