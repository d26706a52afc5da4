/** Pages of the gateway: API reference, guides, OpenAPI document, health probes, problem pages. */
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Health } from '../../ports/runtime/health';
import { type ProblemTable, problem } from '../../server/http/problem';
import { noneMatches } from '../../server/http/routing/etag';
import { sendProblem } from '../../server/http/routing/send-answer';
import { guidePages } from './guides/pages';
import { readGuides } from './guides/read-guides';
import { documentedProblemsOf, problemPage } from './problem-pages';
import { icon, searchScript, style } from './reference/assets';
import type { ReferenceDocument } from './reference/document';
import { referencePages } from './reference/pages';
import { resourceMetadataAt } from './resource-metadata';

export interface Page {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly content: string | Buffer;
}

export interface LocalPageOptions {
  readonly openApi: () => Promise<ReferenceDocument>;
  readonly health: () => Promise<Health>;
  /** Of our own access tokens. */
  readonly issuer: string;
  /** Problems that no OpenAPI document lists. */
  readonly problems: ProblemTable;
}

export type LocalPages = (path: string) => Promise<Page | undefined>;

/** Only own files and nothing inline: markup in a description cannot run scripts. */
const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

const page = (type: string, content: string | Buffer): Page => ({
  status: 200,
  headers: {
    'Content-Type': `${type}; charset=utf-8`,
    'Content-Security-Policy': pagePolicy,
    'Cache-Control': 'no-cache',
    ETag: `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`,
  },
  content,
});

const files: { readonly [path: string]: Page } = {
  '/docs/style.css': page('text/css', style),
  '/docs/search.js': page('text/javascript', searchScript),
  '/docs/icon.svg': page('image/svg+xml', icon),
};

const json = (status: number, body: object): Page => ({
  status,
  headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
  content: JSON.stringify(body),
});

/** Changes with releases only. */
const metadataPage = (document: object): Page => {
  const { status, content } = json(200, document);
  const tag = createHash('sha256').update(content).digest('base64url').slice(0, 22);
  const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'public, max-age=300', ETag: `"${tag}"` };
  return { status, headers, content };
};

const healthPage = ({ ready, parts }: Health, ifNotReady: number): Page =>
  json(ready ? 200 : ifNotReady, { service: 'gateway', status: ready ? 'ready' : 'not-ready', parts });

/** Caches the last result while its input is the same object. */
const memoizeLast = <From extends object, Made>(make: (from: From) => Made): ((from: From) => Made) => {
  const cached = new WeakMap<From, Made>();
  return (from) => {
    const made = cached.get(from) ?? make(from);
    cached.set(from, made);
    return made;
  };
};

const documentedProblems = memoizeLast(documentedProblemsOf);
const reference = memoizeLast(
  (document: ReferenceDocument): ReadonlyMap<string, Page> =>
    new Map([...referencePages(document)].map(([path, html]) => [path, page('text/html', html)])),
);
/** Rendered at the first request for one. */
let renderedGuides: ReadonlyMap<string, Page> | undefined;
const guides = (): ReadonlyMap<string, Page> => {
  renderedGuides ??= new Map([...guidePages(readGuides())].map(([path, html]) => [path, page('text/html', html)]));
  return renderedGuides;
};
const documentPage = memoizeLast((document: object) => json(200, document));

const problemsPage = async (path: string, { openApi, problems }: LocalPageOptions): Promise<Page | undefined> => {
  const found = problemPage(path, { ...documentedProblems(await openApi()), ...problems });
  return found === undefined ? undefined : page(found.type, found.content);
};

export const createLocalPages = (options: LocalPageOptions): LocalPages => {
  const { openApi, health, issuer } = options;
  return async (path) => {
    if (path === '/') return { status: 302, headers: { Location: '/docs' }, content: '' };
    if (path === '/openapi.json') return documentPage(await openApi());
    if (path === '/livez') return json(200, { service: 'gateway', status: 'alive' });
    if (path === '/healthz') return healthPage(await health(), 200);
    if (path === '/readyz') return healthPage(await health(), 503);
    if (path === '/problems' || path.startsWith('/problems/')) return problemsPage(path, options);
    if (Object.hasOwn(files, path)) return files[path];
    if (path === '/docs/guides' || path.startsWith('/docs/guides/')) return guides().get(path);
    if (path === '/docs' || path.startsWith('/docs/')) return reference(await openApi()).get(path);
    const metadata = resourceMetadataAt(path, issuer);
    return metadata === undefined ? undefined : metadataPage(metadata);
  };
};

/** Serves these pages without a rate limit: counting would cost more than serving. */

/** Returns true when it answered the request. */
export const serveLocalPage = async (
  request: IncomingMessage,
  response: ServerResponse,
  pages: LocalPages,
): Promise<boolean> => {
  const [path = ''] = (request.url ?? '').split('?');
  const page = await pages(path);
  if (page === undefined) return false;
  const { status, headers, content } = page;
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    const refused = problem('method-not-allowed', 'Use GET, HEAD.');
    sendProblem(response, { ...refused, headers: { Allow: 'GET, HEAD' } });
    return true;
  }
  const unchanged = status === 200 && !noneMatches(request.headers['if-none-match'], headers.ETag);
  response.writeHead(unchanged ? 304 : status, headers);
  response.end(unchanged || request.method === 'HEAD' ? undefined : content);
  return true;
};
