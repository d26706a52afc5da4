/** Minimal HTML error pages of the gateway, in the style of the sign-in pages. */

const htmlEntities: { readonly [sign: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => htmlEntities[sign] as string);

/** Content security policy of the gateway's pages, whatever service was requested. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'";

export const pageHeaders = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policy } as const;

const waysOn = `<p class="row"><a class="button" href="/">Start page</a><a class="button" href="/account">Your account</a></p>`;

/** For an address that nothing answers. */
export const renderUnknownPage = (): string =>
  render('No page has this address', `<p>It may have moved, or the address may be misspelled.</p>\n${waysOn}`);

/** `ways`: markup of links. */
export const renderErrorPage = (title: string, advice: string, ways = ''): string =>
  render(title, `<div class="notice bad" role="alert"><p>${escapeHtml(advice)}</p></div>\n${ways}`);

/** `main`: markup below the heading. */
const render = (title: string, main: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Septet</title>
<link rel="icon" href="/pages/icon.svg" type="image/svg+xml">
<script src="/pages/theme.js"></script>
<link rel="stylesheet" href="/pages/style.css">
</head>
<body class="plain"><main>
<p class="brand"><img src="/pages/icon.svg" alt="" width="28" height="28"> Septet</p>
<h1>${escapeHtml(title)}</h1>
${main}
</main></body>
</html>
`;

/** Rounds up: the text never promises less than the actual wait. */
const formatWait = (seconds: number): string => {
  if (seconds <= 1) return 'in a second';
  if (seconds < 120) return `in ${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `in ${minutes} minutes` : `in ${Math.ceil(minutes / 60)} hours`;
};

/** How long a store is away is not known, so the page names no wait. */
const uncountedAdvice =
  'Septet limits how often this page may be used, and the store that counts it does not answer. Until it does, the page stays closed. ' +
  'Try again in a few minutes. If it takes longer, tell the administrators: for them, Health in the console names the store.';

const waysBack = `<p class="row"><a class="button" href="/sign-in">Sign-in page</a><a class="button" href="/">Start page</a></p>`;

/** Names no wait when retrying does not help. */
export const renderRateLimitPage = (status: number, retryAfterSeconds: number): string => {
  if (status === 503) return renderErrorPage('Not right now', uncountedAdvice, waysBack);
  const title = status === 429 ? 'Too many requests' : 'Not allowed';
  const advice = retryAfterSeconds > 0 ? `Try again ${formatWait(retryAfterSeconds)}.` : 'This is not open to you.';
  return renderErrorPage(title, advice);
};
