/** Layout, content security policy and redirects of the HTML pages. Only passkeys, password fields, the reader's theme and answers by form need a script. */
import { createHash } from 'node:crypto';
import type { Problem } from '../../../infra/server/http/problem';
import type { PageAnswer } from '../../../infra/server/http/routing/route';
import { type Html, html } from './html';

export interface Page {
  readonly title: string;
  readonly body: Html;
  readonly status?: number;
  /** Includes the passkey script. */
  readonly script?: boolean;
  /** Includes the script of `passwordField`. */
  readonly passwords?: boolean;
  /** The page's only form submits itself; without scripts, its button does. */
  readonly submits?: boolean;
  /** Sources besides the own origin that a form of the page may lead to. */
  readonly formTargets?: readonly string[];
  readonly cookies?: readonly string[];
  readonly headers?: { readonly [name: string]: string };
  /** Target of an automatic redirect. */
  readonly onward?: string;
}

const submitScript = 'document.forms[0].submit()';
/** The policy allows this text and no other (CSP level 3, section 8.3). */
const submitScriptSource = `'sha256-${createHash('sha256').update(submitScript).digest('base64')}'`;

const policyOf = ({ formTargets = [], submits = false }: Page): string =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data:",
    submits ? `script-src 'self' ${submitScriptSource}` : "script-src 'self'",
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');

const documentOf = ({ title, body, script = false, passwords = false, submits = false, onward }: Page): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${onward !== undefined && html`<meta http-equiv="refresh" content="0;url=${onward}">`}
<title>${title} · Septet</title>
<link rel="icon" href="/pages/icon.svg" type="image/svg+xml">
<script src="/pages/theme.js"></script>
<link rel="stylesheet" href="/pages/style.css">
${script && html`<script src="/pages/passkeys.js" defer></script>`}
${passwords && html`<script src="/pages/password-fields.js" defer></script>`}
</head>
<body class="plain"><main>
<p class="brand"><img src="/pages/icon.svg" alt="" width="28" height="28"> Septet</p>
<h1>${title}</h1>
${body}
</main>${submits && html`<script>${submitScript}</script>`}</body>
</html>
`.markup;

/** The gateway sets them, too; repeated for installations behind another proxy. */
const pageHeaders = {
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
};

export const page = (options: Page): PageAnswer => ({
  status: options.status ?? 200,
  page: documentOf(options),
  headers: { ...pageHeaders, 'Content-Security-Policy': policyOf(options), ...options.headers },
  ...(options.cookies === undefined ? {} : { cookies: options.cookies }),
});

/** Redirects to an own page or a verified redirect URI. */
export const redirect = (location: string, cookies: readonly string[] = []): PageAnswer => ({
  status: 303,
  page: undefined,
  headers: { Location: location, 'Referrer-Policy': 'no-referrer' },
  cookies,
});

/** After a form, browsers apply the page's `form-action` to redirects, also to applications. A page that redirects by itself is exempt. */
export const onward = (location: string, cookies: readonly string[] = []): PageAnswer =>
  page({ title: 'One moment', body: html`<p><a href="${location}">Continue</a></p>`, onward: location, cookies });

/** Error page; it never contains request data. */
export const failurePage = (status: number, title: string, detail: string): PageAnswer => ({
  ...page({ title, status, body: html`<div class="notice bad" role="alert"><p>${detail}</p></div>` }),
  ...(status === 401 || status === 403 ? { refused: { reason: detail } } : {}),
});

export const problemPageOf = ({ problem, headers }: Problem): PageAnswer => {
  const { status, title, detail } = problem;
  const page =
    status < 500
      ? failurePage(status, title, detail)
      : failurePage(status, 'Not right now', 'A required service is unavailable at the moment. Try again soon.');
  return { ...page, headers: { ...page.headers, ...headers } };
};
