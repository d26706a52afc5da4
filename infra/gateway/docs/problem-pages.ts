/** Pages that a problem's `type` links to, one per code, built from the problem tables of the services. */

import * as t from 'io-ts';
import type { OpenApi } from '../../server/http/openapi';
import type { ProblemKind, ProblemTable } from '../../server/http/problem';
import { escapeHtml } from '../html-page';

const retryAdvice =
  'Wait for the time in Retry-After, then send it again; a command is done once under one Idempotency-Key.';

/** Advice for codes whose status alone does not suggest what to do. */
const adviceByCode: { readonly [code: string]: string } = {
  'invalid-input':
    'Read errors in the answer: it lists every field that is missing or malformed, and what is expected there.',
  'idempotency-key-reused':
    'Use a new Idempotency-Key for a new command, and the old one only to repeat the old command.',
  'not-yet-visible':
    'The read model has not reached the requested position. Send it again after Retry-After, or without Min-Position.',
  'event-store-ambiguous':
    'The change may or may not have been recorded. Send it again under the same Idempotency-Key: it is executed once.',
  token_revoked: 'Every earlier token of the principal was revoked. Sign in again.',
  'revocation-state-stale': 'No token is accepted while revocations are unknown. Try again in a moment.',
  'event-refused': 'Send less at once.',
};

const adviceByStatus: { readonly [status: number]: string } = {
  400: 'Change the request: the same request is refused again.',
  401: 'Send a valid access token as Authorization: Bearer; get a new one when it has expired.',
  403: 'Use a caller that may do this, or request the scope that WWW-Authenticate names.',
  404: 'Check the id and the path. To read what was just written, send its Position as Min-Position.',
  405: 'The header Allow lists what is available here.',
  409: 'Read the current state, and decide again from there.',
  412: 'Read it again, and send the change with the ETag found as If-Match.',
  413: 'Send less at once.',
  414: 'Send long values in the body.',
  415: 'Send the documented content type, in UTF-8, without a content encoding.',
  416: 'Content-Range has the number of bytes.',
  422: 'The request is understood, but cannot be done; its detail has the reason.',
  431: 'Send fewer and shorter headers.',
  500: 'Send it again later, a command under the same Idempotency-Key. Operators find the cause by the X-Request-Id.',
  507: 'An operator has to make room.',
};

/** In the style of the API reference. */
const shell = (title: string, main: string): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Septet API</title><link rel="icon" href="/docs/icon.svg" type="image/svg+xml">
<script src="/pages/theme.js"></script><link rel="stylesheet" href="/docs/style.css"></head>
<body>
<header><a class="brand" href="/docs"><img src="/docs/icon.svg" alt="" width="24" height="24"> Septet API</a>
<p class="links"><a href="/">Console</a> <a href="/docs/guides">Guides</a> <a href="/openapi.json">OpenAPI</a> <a href="/problems">Problems</a></p></header>
<main class="alone">
${main}
</main></body>
</html>
`;

const adviceFor = (code: string, status: number): string =>
  adviceByCode[code] ?? adviceByStatus[status] ?? (status >= 500 ? retryAdvice : (adviceByStatus[400] as string));

const pageOf = (code: string, { status, title }: ProblemKind): string =>
  shell(
    title,
    `<h1>${escapeHtml(title)}</h1>
<dl class="problems facts">
<dt>Code</dt><dd><code>${escapeHtml(code)}</code></dd>
<dt>Status</dt><dd>${status}</dd>
<dt>What to do</dt><dd>${escapeHtml(adviceFor(code, status))}</dd>
</dl>
<p><a href="/problems">All problems</a> · <a href="/docs">API reference</a></p>`,
  );

const problemList = (table: ProblemTable): string => {
  const rows = Object.entries(table)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([code, { status, title }]) => {
      const link = `<a href="/problems/${encodeURIComponent(code)}"><code>${escapeHtml(code)}</code></a>`;
      return `<dt>${link}</dt><dd>${status}: ${escapeHtml(title)}</dd>`;
    });
  return shell(
    'Problems',
    `<h1>Problems</h1>\n<p>The codes of error answers (RFC 9457), with the status of each.</p>\n<dl class="problems list">\n${rows.join('\n')}\n</dl>`,
  );
};

export interface ProblemPage {
  readonly type: 'text/html';
  readonly content: string;
}

/** Undefined: unknown page. */
export const problemPage = (path: string, table: ProblemTable): ProblemPage | undefined => {
  if (path === '/problems') return { type: 'text/html', content: problemList(table) };
  const code = path.slice('/problems/'.length);
  const kind = Object.hasOwn(table, code) ? table[code] : undefined;
  return kind === undefined ? undefined : { type: 'text/html', content: pageOf(code, kind) };
};

const Titles = t.record(t.string, t.string);

interface Operation {
  readonly responses?: { readonly [status: string]: { readonly 'x-problems'?: unknown } };
}

const problemRowsOf = ({ responses = {} }: Operation): readonly (readonly [string, ProblemKind])[] =>
  Object.entries(responses).flatMap(([status, response]) => {
    const titles = response['x-problems'];
    if (!Titles.is(titles)) return [];
    const documented = Number(status) as ProblemKind['status'];
    return Object.entries(titles).map(([code, title]) => [code, { status: documented, title }] as const);
  });

export const documentedProblemsOf = ({ paths }: Pick<OpenApi, 'paths'>): ProblemTable => {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods) as Operation[]);
  return Object.fromEntries(operations.flatMap(problemRowsOf));
};
