/** The gateway's own paths: documentation, health, and the way there. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { OpenApi } from '../http/openapi';
import type { ProblemTable } from '../http/problem';
import type { Health } from '../ports/health';
import { documentationIcon, documentationTheme } from './documentation-theme';
import { problemPage } from './problem-pages';
import { problemsIn } from './problems-in';

export interface Page {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly content: string | Buffer;
}

export interface PagesOptions {
  readonly openApi: () => Promise<Pick<OpenApi, 'paths'>>;
  readonly health: () => Promise<Health>;
  /** Of codes that no document tells. */
  readonly problems: ProblemTable;
}

export type Pages = (path: string) => Promise<Page | undefined>;

/** Everything from here, nothing inline: a description that carries markup runs nothing. */
const documentsPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const shell = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Septet API</title><link rel="icon" href="/docs/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/swagger-ui.css"><link rel="stylesheet" href="/docs/theme.css"></head>
<body><main id="documentation"></main>
<script src="/docs/swagger-ui-bundle.js"></script><script src="/docs/start.js"></script></body>
</html>
`;
const starter = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#documentation', deepLinking: true });\n`;

const page = (type: string, content: string | Buffer): Page => ({
  status: 200,
  headers: {
    'Content-Type': `${type}; charset=utf-8`,
    'Content-Security-Policy': documentsPolicy,
    'Cache-Control': 'no-cache',
    ETag: `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`,
  },
  content,
});

const directory = (): string => dirname(require.resolve('swagger-ui-dist/package.json'));

const files: { readonly [path: string]: () => Page } = {
  '/docs': () => page('text/html', shell),
  '/docs/start.js': () => page('text/javascript', starter),
  '/docs/icon.svg': () => page('image/svg+xml', documentationIcon),
  '/docs/theme.css': () => page('text/css', documentationTheme),
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

/** As long as what it is made of is the same. */
const madeOnce = <From extends object, Made>(make: (from: From) => Made): ((from: From) => Made) => {
  const kept = new WeakMap<From, Made>();
  return (from) => {
    const made = kept.get(from) ?? make(from);
    kept.set(from, made);
    return made;
  };
};

const toldProblems = madeOnce(problemsIn);
const documentPage = madeOnce((document: object) => json(200, document));

const problemsPage = async (path: string, { openApi, problems }: PagesOptions): Promise<Page | undefined> => {
  const found = problemPage(path, { ...toldProblems(await openApi()), ...problems });
  return found === undefined ? undefined : page(found.type, found.content);
};

export const pages = (options: PagesOptions): Pages => {
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
    const kept = read.get(path) ?? open();
    read.set(path, kept);
    return kept;
  };
};
