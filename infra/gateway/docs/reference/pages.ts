/** Pages of the API reference, made of the API document: the first one with all operations, and one for each group. */
import { escapeHtml } from '../../html-page';
import { type Entry, entriesOf, type ReferenceDocument } from './document';
import { introduction } from './introduction';
import { methodView, operationView, pathView } from './operation-view';
import { renderInline, renderProse } from './prose';

const titleOf = (group: string): string => {
  const words = group.replaceAll('-', ' ');
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
};

const groupPath = (group: string): string => `/docs/${encodeURIComponent(group)}`;

interface Group {
  readonly name: string;
  readonly description: string;
  readonly entries: readonly Entry[];
}

const groupsOf = (document: ReferenceDocument): readonly Group[] => {
  const entries = entriesOf(document);
  const described = new Map(document.tags.map(({ name, description = '' }) => [name, description]));
  const names = [...new Set([...described.keys(), ...entries.map(({ group }) => group)])];
  return names
    .map((name) => ({
      name,
      description: described.get(name) ?? '',
      entries: entries.filter(({ group }) => group === name),
    }))
    .filter((group) => group.entries.length > 0);
};

const searchOf = (groups: readonly Group[]): string => {
  const count = groups.reduce((sum, { entries }) => sum + entries.length, 0);
  return `<form class="search" role="search" action="/docs" method="get">
<label for="search">Search operations</label><input id="search" name="q" type="search" placeholder="Search ${count} operations" autocomplete="off" spellcheck="false">
<kbd aria-hidden="true">/</kbd><p id="hint" role="status" hidden>Press Enter to search all groups.</p></form>`;
};

const navigation = (groups: readonly Group[], current: string | undefined): string => `<nav aria-label="Groups"><ul>
<li><a href="/docs"${current === undefined ? ' aria-current="page"' : ''}>Introduction</a></li>
${groups
  .map(({ name }) => {
    const mark = name === current ? ' aria-current="page"' : '';
    return `<li><a href="${groupPath(name)}"${mark}>${escapeHtml(titleOf(name))}</a></li>`;
  })
  .join('\n')}
</ul></nav>`;

interface Shell {
  readonly title: string;
  readonly groups: readonly Group[];
  readonly current?: string;
  readonly main: string;
}

const shell = ({ title, groups, current, main }: Shell): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title><link rel="icon" href="/docs/icon.svg" type="image/svg+xml"><link rel="stylesheet" href="/docs/style.css">
<script src="/pages/theme.js"></script><script src="/docs/search.js" defer></script></head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header><a class="brand" href="/docs"><img src="/docs/icon.svg" alt="" width="24" height="24"> Septet API</a>${searchOf(groups)}
<p class="links"><a href="/">Console</a> <a href="/openapi.json">OpenAPI</a> <a href="/problems">Problems</a></p></header>
<div class="columns">${navigation(groups, current)}
<main id="main" tabindex="-1">
${main}
</main></div>
</body>
</html>
`;

const lineOf = ({ id, method, path, group, operation }: Entry): string =>
  `<li data-words="${escapeHtml(`${id} ${method} ${path} ${operation.summary ?? ''} ${operation.security?.flatMap((one) => Object.values(one).flat()).join(' ') ?? ''}`.toLowerCase())}">
<a href="${groupPath(group)}#${escapeHtml(id)}">${methodView(method)} <code>${pathView(path)}</code></a> <span>${renderInline(operation.summary ?? '')}</span></li>`;

const listOf = ({ name, description, entries }: Group): string => `<section class="list">
<h3 id="group-${escapeHtml(name)}"><a href="${groupPath(name)}">${escapeHtml(titleOf(name))}</a></h3>
<p>${renderInline(description)}</p>
<ul class="operations">${entries.map(lineOf).join('\n')}</ul></section>`;

const firstPage = (groups: readonly Group[]): string =>
  shell({
    title: 'Septet API',
    groups,
    main: `<div id="introduction"><h1>Septet API</h1>
${renderProse(introduction)}</div>
<p id="found" role="status"></p>
<h2 id="operations">All operations</h2>
${groups.map(listOf).join('\n')}`,
  });

const groupPage = (
  groups: readonly Group[],
  { name, description, entries }: Group,
  document: ReferenceDocument,
): string =>
  shell({
    title: `${titleOf(name)} · Septet API`,
    groups,
    current: name,
    main: `<h1>${escapeHtml(titleOf(name))}</h1>
<p>${renderInline(description)}</p>
<ul class="operations">${entries.map(lineOf).join('\n')}</ul>
${entries.map((entry) => operationView(entry, document.components.schemas)).join('\n')}`,
  });

/** HTML by path. */
export const referencePages = (document: ReferenceDocument): ReadonlyMap<string, string> => {
  const groups = groupsOf(document);
  return new Map([
    ['/docs', firstPage(groups)],
    ...groups.map((group): [string, string] => [groupPath(group.name), groupPage(groups, group, document)]),
  ]);
};
