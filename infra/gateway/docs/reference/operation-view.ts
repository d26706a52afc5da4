/** One operation: description, required scopes, input and answers. */
import { escapeHtml } from '../../html-page';
import type { Content, Entry, Parameter, Response, Schemas } from './document';
import { renderInline, renderProse } from './prose';
import { descriptionOf, schemaView, typeLine } from './schema-view';

const jsonText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));
const codeBlock = (text: string): string => `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>`;

const accessView = ({ operation }: Entry): string => {
  const scopes = operation.security?.flatMap((one) => Object.values(one).flat()) ?? [];
  const isPublic = (operation.security ?? []).length === 0;
  const who = isPublic
    ? 'Without a token'
    : `Scope: ${scopes.map((scope) => `<code>${escapeHtml(scope)}</code>`).join(', ') || 'any token'}`;
  const group = operation['x-limit-group'];
  const limit = group === undefined ? '' : ` · Limit group: <code>${escapeHtml(group)}</code>`;
  const named = operation['x-stream'];
  const stream = typeof named === 'string' ? ` · Stream: <code>${escapeHtml(named)}</code>` : '';
  return `<p class="access">${who}${limit}${stream}</p>`;
};

const parameterRow = ({ name, in: place, required, schema = {}, description }: Parameter, schemas: Schemas): string =>
  `<tr><td><code>${escapeHtml(name)}</code>${required === true ? ' <span class="required">required</span>' : ''}</td><td>${escapeHtml(
    place,
  )}</td><td>${typeLine(schema, schemas)}</td><td>${renderInline(description ?? descriptionOf(schema, schemas))}</td></tr>`;

const parametersView = ({ operation: { parameters = [] } }: Entry, schemas: Schemas): string =>
  parameters.length === 0
    ? ''
    : `<h3>Parameters</h3><div class="wide" tabindex="0"><table><thead><tr><th>Name</th><th>In</th><th>Type</th><th>Meaning</th></tr></thead>
<tbody>${parameters.map((parameter) => parameterRow(parameter, schemas)).join('')}</tbody></table></div>`;

const isForm = (type: string): boolean => type === 'application/x-www-form-urlencoded';

/** As the README has them: `$SEPTET` is the address, `$auth` the header with the token. */
const curlOf = ({ method, path, operation }: Entry): string => {
  const at = (place: string) => (operation.parameters ?? []).filter((one) => one.in === place);
  const filled = at('path').reduce(
    (url, { name, example }) => url.replace(`{${name}}`, encodeURIComponent(String(example))),
    path,
  );
  const required = at('query').filter((one) => one.required === true);
  const query = new URLSearchParams(
    Object.fromEntries(required.map(({ name, example }) => [name, String(example)])),
  ).toString();
  const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const token = (operation.security ?? []).length === 0 ? [] : ['-H "$auth"'];
  const verb = method === 'GET' || (method === 'POST' && type !== undefined) ? [] : [`-X ${method}`];
  const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
  const body =
    type === undefined
      ? []
      : isForm(type)
        ? Object.entries((content?.example ?? {}) as object).map(
            ([name, value]) => `-d ${quoted(`${name}=${String(value)}`)}`,
          )
        : [`-H 'Content-Type: ${type}'`, `-d ${quoted(jsonText(content?.example ?? {}))}`];
  const url = `"$SEPTET${filled}${query === '' ? '' : `?${query}`}"`;
  const parts = [...token, ...body];
  // Long commands go on in further lines.
  const between = parts.length > 1 ? ' \\\n  ' : ' ';
  return [['curl -sS', ...verb, url].join(' '), ...parts].join(between);
};

const bodyView = ({ operation: { requestBody } }: Entry, schemas: Schemas): string =>
  Object.entries(requestBody?.content ?? {})
    .map(
      ([type, { schema = {} }]) =>
        `<h3>Body <span class="note">${escapeHtml(type)}</span></h3>${schemaView(schema, schemas)}`,
    )
    .join('');

const contentView = (content: Content, schemas: Schemas): string =>
  Object.entries(content)
    .filter(([type]) => type !== 'application/problem+json')
    .map(([type, { schema = {}, example }]) => {
      const exampleBlock = example === undefined ? '' : codeBlock(jsonText(example));
      return `<details><summary>${escapeHtml(type)}</summary>${exampleBlock}${schemaView(schema, schemas)}</details>`;
    })
    .join('');

const answersView = (responses: readonly (readonly [string, Response])[], schemas: Schemas): string =>
  responses
    .map(([status, { description = '', headers = {}, content = {} }]) => {
      const names = Object.keys(headers).map((name) => `<code>${escapeHtml(name)}</code>`);
      const also = names.length === 0 ? '' : ` <span class="note">Headers: ${names.join(', ')}</span>`;
      const [meaning = ''] = description.split('\n\n');
      return `<h3>${escapeHtml(status)} <span class="note">${renderInline(meaning)}</span></h3>${also}${contentView(content, schemas)}`;
    })
    .join('');

const problemRows = (responses: readonly (readonly [string, Response])[]): readonly string[] =>
  responses.flatMap(([status, { 'x-problems': problems = {} }]) =>
    Object.entries(problems).map(
      ([code, title]) =>
        `<tr><td>${escapeHtml(status)}</td><td><a href="/problems/${encodeURIComponent(code)}"><code>${escapeHtml(code)}</code></a></td><td>${renderInline(title)}</td></tr>`,
    ),
  );

const problemsView = (responses: readonly (readonly [string, Response])[]): string => {
  const rows = problemRows(responses);
  return rows.length === 0
    ? ''
    : `<details><summary>Problems (${rows.length})</summary><div class="wide" tabindex="0"><table><thead><tr><th>Status</th><th>Code</th><th>Meaning</th></tr></thead>
<tbody>${rows.join('')}</tbody></table></div></details>`;
};

export const methodView = (method: string): string =>
  `<span class="method ${method.toLowerCase()}">${escapeHtml(method)}</span>`;

/** Parts of a path may break after a slash. */
export const pathView = (path: string): string => escapeHtml(path).replaceAll('/', '/<wbr>');

export const operationView = (entry: Entry, schemas: Schemas): string => {
  const { id, method, path, operation } = entry;
  const responses = Object.entries(operation.responses ?? {});
  const hasBody = ([, { content = {} }]: readonly [string, Response]): boolean =>
    Object.keys(content).some((type) => type !== 'application/problem+json');
  const answers = responses.filter((one) => one[0].startsWith('2') || one[0].startsWith('3') || hasBody(one));
  return `<section class="operation" id="${escapeHtml(id)}" aria-labelledby="${escapeHtml(id)}-title">
<h2 id="${escapeHtml(id)}-title"><a href="#${escapeHtml(id)}">${renderInline(operation.summary ?? id)}</a></h2>
<p class="route">${methodView(method)} <code>${pathView(path)}</code> <span class="note">${escapeHtml(id)}</span></p>
${accessView(entry)}
${operation.description === undefined ? '' : renderProse(operation.description)}
${codeBlock(curlOf(entry))}
${parametersView(entry, schemas)}
${bodyView(entry, schemas)}
${answersView(answers, schemas)}
${problemsView(responses)}
</section>`;
};
