/** What every page of the documentation has around its content: header with search, navigation, main part. */
import { escapeHtml } from '../../html-page';

interface DocumentationPage {
  readonly title: string;
  /** In the empty search field. */
  readonly searchLabel: string;
  /** Markup. */
  readonly navigation: string;
  /** Markup. */
  readonly main: string;
}

const searchForm = (label: string): string => `<form class="search" role="search" action="/docs" method="get">
<label for="search">Search operations</label><input id="search" name="q" type="search" placeholder="${label}" autocomplete="off" spellcheck="false">
<kbd aria-hidden="true">/</kbd><p id="hint" role="status" hidden>Press Enter to search all groups.</p></form>`;

export const documentationPage = ({
  title,
  searchLabel,
  navigation,
  main,
}: DocumentationPage): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title><link rel="icon" href="/docs/icon.svg" type="image/svg+xml"><link rel="stylesheet" href="/docs/style.css">
<script src="/pages/theme.js"></script><script src="/docs/search.js" defer></script></head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header><a class="brand" href="/docs"><img src="/docs/icon.svg" alt="" width="24" height="24"> Septet API</a>${searchForm(searchLabel)}
<p class="links"><a href="/">Console</a> <a href="/docs/guides">Guides</a> <a href="/openapi.json">OpenAPI</a> <a href="/problems">Problems</a></p></header>
<div class="columns">${navigation}
<main id="main" tabindex="-1">
${main}
</main></div>
</body>
</html>
`;
