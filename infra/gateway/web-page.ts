/** The one document of the console. Nothing stands in it but names: whatever runs or styles is a file of ours. */
import { createHash } from 'node:crypto';
import type { Beginning } from './web-bundle';

/** Trusted types: no script of ours, nor one it uses, may make code or markup of a text. */
export const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const at = (name: string): string => `/console/assets/${name}`;

export const pageOf = ({ script, theme, style, icon, fonts }: Beginning) => {
  const preloads = fonts.map(
    (font) => `<link rel="preload" href="${at(font)}" as="font" type="font/woff2" crossorigin>`,
  );
  const content = [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<title>Septet</title>',
    `<link rel="icon" href="${at(icon)}" type="image/svg+xml">`,
    `<script src="${at(theme)}"></script>`,
    ...preloads,
    `<link rel="stylesheet" href="${at(style)}">`,
    `<script type="module" src="${at(script)}"></script>`,
    '</head>',
    '<body><div id="root"></div><noscript>The console needs JavaScript.</noscript></body>',
    '</html>',
    '',
  ].join('\n');
  const etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
  return { content, etag };
};
