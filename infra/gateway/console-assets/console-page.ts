/** The HTML page of the console: it references files only, no inline script or style. */
import { createHash } from 'node:crypto';
import type { EntryFiles } from './bundle';

/**
 * Trusted types: no script can turn text into code or markup. `blobOrigin`: the object store, if clients reach it at an
 * origin of its own; pages upload to it, and show its images and media.
 */
export const consolePolicy = (blobOrigin?: string): string => {
  const store = blobOrigin === undefined ? '' : ` ${blobOrigin}`;
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    `img-src 'self' data:${store}`,
    `media-src 'self'${store}`,
    `connect-src 'self'${store}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
};

const assetUrl = (name: string): string => `/console/assets/${name}`;

export const renderConsolePage = ({ script, imports, theme, style, icon, fonts }: EntryFiles) => {
  const preloads = fonts.map(
    (font) => `<link rel="preload" href="${assetUrl(font)}" as="font" type="font/woff2" crossorigin>`,
  );
  const content = [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<title>Septet</title>',
    `<link rel="icon" href="${assetUrl(icon)}" type="image/svg+xml">`,
    `<script src="${assetUrl(theme)}"></script>`,
    ...preloads,
    ...imports.map((name) => `<link rel="modulepreload" href="${assetUrl(name)}">`),
    `<link rel="stylesheet" href="${assetUrl(style)}">`,
    `<script type="module" src="${assetUrl(script)}"></script>`,
    '</head>',
    '<body><div id="root"></div><noscript>The console needs JavaScript.</noscript></body>',
    '</html>',
    '',
  ].join('\n');
  const etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
  return { content, etag };
};
