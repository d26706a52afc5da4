/** Guides as pages: `/docs/guides/places` is `docs/places.md`. Links between guides lead to these pages; other files of the project have none. */
import { posix } from 'node:path';
import { Marked, type Tokens } from 'marked';
import { escapeHtml } from '../../html-page';
import { anchorOf } from '../reference/prose';
import { documentationPage } from '../reference/shell';
import type { GuideSource } from './read-guides';

const guidesPath = '/docs/guides';

/** `docs/places.md` is `places`, `packages/client/README.md` is `packages-client`, `README.md` is the first page. */
const pathOf = (file: string): string => {
  if (file === 'README.md') return guidesPath;
  const [, guide] = /^docs\/(.+)\.md$/.exec(file) ?? [];
  return `${guidesPath}/${guide ?? file.replace('/README.md', '').replaceAll('/', '-')}`;
};

const titleOf = ({ file, markdown }: GuideSource): string => /^# (.+)$/m.exec(markdown)?.[1] ?? file;

/** As in a Markdown viewer: a second heading with the same text gets `-1`. */
const createAnchors = () => {
  const used = new Map<string, number>();
  return (title: string): string => {
    const anchor = anchorOf(title);
    const count = used.get(anchor) ?? 0;
    used.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  };
};

/** Where a link of a guide leads. Undefined: to a file without a page. */
const targetOf = (href: string, from: string, pages: ReadonlySet<string>): string | undefined => {
  if (/^(?:https?:|mailto:|#|\/)/.test(href)) return href;
  const [path = '', anchor] = href.split('#');
  const joined = posix.normalize(posix.join(posix.dirname(from), path));
  const file = [joined, posix.join(joined, 'README.md')].find((one) => pages.has(one));
  return file === undefined ? undefined : `${pathOf(file)}${anchor === undefined ? '' : `#${anchor}`}`;
};

const renderGuide = ({ file, markdown }: GuideSource, pages: ReadonlySet<string>): string => {
  const nextAnchor = createAnchors();
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        return `<h${depth} id="${nextAnchor(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const text = this.parser.parseInline(tokens);
        const target = targetOf(href, file, pages);
        return target === undefined ? text : `<a href="${escapeHtml(target)}">${text}</a>`;
      },
      // Pictures are files of the project.
      image: () => '',
      html: ({ text }: Tokens.HTML | Tokens.Tag) => escapeHtml(text),
      code: ({ text }: Tokens.Code) => `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`,
      table({ header, rows }: Tokens.Table) {
        const cells = (row: readonly Tokens.TableCell[], tag: 'td' | 'th') =>
          `<tr>${row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`;
        const body = rows.map((row) => cells(row, 'td')).join('\n');
        return `<div class="wide" tabindex="0"><table><thead>${cells(header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`;
      },
    },
  });
  return marked.parse(markdown, { async: false });
};

const navigationOf = (guides: readonly GuideSource[], current: string): string => `<nav aria-label="Guides"><ul>
<li><a href="/docs">API reference</a></li>
${guides
  .map((guide) => {
    const mark = guide.file === current ? ' aria-current="page"' : '';
    const title = guide.file === 'README.md' ? 'Start here' : titleOf(guide);
    return `<li><a href="${pathOf(guide.file)}"${mark}>${escapeHtml(title.replaceAll('`', ''))}</a></li>`;
  })
  .join('\n')}
</ul></nav>`;

/** HTML by path. */
export const guidePages = (guides: readonly GuideSource[]): ReadonlyMap<string, string> => {
  const files = new Set(guides.map(({ file }) => file));
  return new Map(
    guides.map((guide) => [
      pathOf(guide.file),
      documentationPage({
        title: `${titleOf(guide)} · Septet guides`,
        searchLabel: 'Search operations',
        navigation: navigationOf(guides, guide.file),
        main: renderGuide(guide, files),
      }),
    ]),
  );
};
