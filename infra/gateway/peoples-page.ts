/** A page of the gateway's own, for who came with a browser: it looks like people's other pages. */

const signs: { readonly [sign: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => signs[sign] as string);

/** The page is ours, whoever's would have stood there. */
const policy =
  "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'";

export const pageHeaders = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policy } as const;

export const peoplesPage = (title: string, advice: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)} · Septet</title>
<link rel="icon" href="/pages/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/pages/style.css">
</head>
<body class="plain"><main>
<p class="brand"><img src="/pages/icon.svg" alt="" width="28" height="28"> Septet</p>
<h1>${escaped(title)}</h1>
<div class="notice bad" role="alert"><p>${escaped(advice)}</p></div>
</main></body>
</html>
`;
