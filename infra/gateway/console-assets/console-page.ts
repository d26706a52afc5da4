/** The HTML of the console, and of the page that plays shared videos: they reference files only, no inline script or style. */
import type { EntryFiles } from './bundle';

const assetUrl = (name: string): string => `/console/assets/${name}`;

interface PageOptions {
  readonly document: 'console' | 'watch';
  /** Clients reach the object store at an origin of its own, which is a difference between the policies of pages. */
  readonly hasStoreElsewhere: boolean;
}

const withoutScripts = {
  console: 'The console needs JavaScript.',
  watch: 'The video is played by JavaScript, which is off in this browser.',
};

export const renderPage = (files: EntryFiles, { document, hasStoreElsewhere }: PageOptions): string => {
  const { theme, icon } = files;
  const { script, imports, style, fonts } = document === 'watch' ? files.watch : files;
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
    `<body><div id="root"></div><noscript>${withoutScripts[document]}</noscript></body>`,
    '</html>',
    '',
  ].join('\n');
  return content;
};
