/** Pages of the API reference, made of the API document: the first one with all operations, and one for each group. */
import { escapeHtml } from '../../html-page';
import { type Entry, entriesOf, type ReferenceDocument } from './document';
import { introduction } from './introduction';
import { methodView, operationView, pathView } from './operation-view';
import { renderInline, renderProse } from './prose';
import { documentationPage } from './shell';

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

const searchLabelOf = (groups: readonly Group[]): string =>
  `Search ${groups.reduce((sum, { entries }) => sum + entries.length, 0)} operations`;

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

const shell = ({ title, groups, current, main }: Shell): string =>
  documentationPage({ title, searchLabel: searchLabelOf(groups), navigation: navigation(groups, current), main });

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
