/** Pages of the gateway: Swagger UI, OpenAPI document, health probes, problem pages. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';
import type { OpenApi } from '../../http/openapi';
import { type ProblemTable, problem } from '../../http/problem';
import { noneMatches } from '../../http/routing/etag';
import { sendProblem } from '../../http/routing/send-answer';
import type { Health } from '../../ports/runtime/health';
import { documentedProblemsOf, problemPage } from './problem-pages';
import { swaggerIcon, swaggerTheme } from './swagger-theme';

export interface Page {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly content: string | Buffer;
}

export interface LocalPageOptions {
  readonly openApi: () => Promise<Pick<OpenApi, 'paths'>>;
  readonly health: () => Promise<Health>;
  /** Problems that no OpenAPI document lists. */
  readonly problems: ProblemTable;
}

export type LocalPages = (path: string) => Promise<Page | undefined>;

/** Only own files and nothing inline: markup in a description cannot run scripts. */
const swaggerPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const swaggerPage = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Septet API</title><link rel="icon" href="/docs/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/swagger-ui.css"><link rel="stylesheet" href="/docs/theme.css"></head>
<body><main id="documentation"></main>
<script src="/docs/swagger-ui-bundle.js"></script><script src="/docs/start.js"></script></body>
</html>
`;
const swaggerScript = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#documentation', deepLinking: true });\n`;

const page = (type: string, content: string | Buffer): Page => ({
  status: 200,
  headers: {
    'Content-Type': `${type}; charset=utf-8`,
    'Content-Security-Policy': swaggerPolicy,
    'Cache-Control': 'no-cache',
    ETag: `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`,
  },
  content,
});

const directory = (): string => dirname(require.resolve('swagger-ui-dist/package.json'));

const files: { readonly [path: string]: () => Page } = {
  '/docs': () => page('text/html', swaggerPage),
  '/docs/start.js': () => page('text/javascript', swaggerScript),
  '/docs/icon.svg': () => page('image/svg+xml', swaggerIcon),
  '/docs/theme.css': () => page('text/css', swaggerTheme),
  '/docs/swagger-ui.css': () => page('text/css', readFileSync(join(directory(), 'swagger-ui.css'))),
  '/docs/swagger-ui-bundle.js': () => page('text/javascript', readFileSync(join(directory(), 'swagger-ui-bundle.js'))),
};

const json = (status: number, body: object): Page => ({
  status,
  headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
  content: JSON.stringify(body),
});

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
const documentPage = memoizeLast((document: object) => json(200, document));

const problemsPage = async (path: string, { openApi, problems }: LocalPageOptions): Promise<Page | undefined> => {
  const found = problemPage(path, { ...documentedProblems(await openApi()), ...problems });
  return found === undefined ? undefined : page(found.type, found.content);
};

export const createLocalPages = (options: LocalPageOptions): LocalPages => {
  const { openApi, health } = options;
  const read = new Map<string, Page>();
  return async (path) => {
    if (path === '/') return { status: 302, headers: { Location: '/docs' }, content: '' };
    if (path === '/openapi.json') return documentPage(await openApi());
    if (path === '/livez') return json(200, { service: 'gateway', status: 'alive' });
    if (path === '/healthz') return healthPage(await health(), 200);
    if (path === '/readyz') return healthPage(await health(), 503);
    if (path === '/problems' || path.startsWith('/problems/')) return problemsPage(path, options);
    const open = Object.hasOwn(files, path) ? files[path] : undefined;
    if (open === undefined) return undefined;
    const cached = read.get(path) ?? open();
    read.set(path, cached);
    return cached;
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
