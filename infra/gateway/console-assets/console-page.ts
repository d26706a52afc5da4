/** The HTML page of the console: it references files only, no inline script or style. */
import type { EntryFiles } from './bundle';

const assetUrl = (name: string): string => `/console/assets/${name}`;

/** `hasStoreElsewhere`: clients reach the object store at an origin of its own, which is a difference between the policies of pages. */
export const renderConsolePage = (
  { script, imports, theme, style, icon, fonts }: EntryFiles,
  hasStoreElsewhere: boolean,
) => {
  const preloads = fonts.map(
    (font) => `<link rel="preload" href="${assetUrl(font)}" as="font" type="font/woff2" crossorigin>`,
  );
  const content = [
    '<!doctype html>',
    hasStoreElsewhere ? '<html lang="en" data-object-store="elsewhere">' : '<html lang="en">',
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
  return content;
};
