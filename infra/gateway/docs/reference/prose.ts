/** The markdown that descriptions use, as HTML: headings, paragraphs, code, bold, links. Everything else is shown as it is written. */
import { escapeHtml } from '../../html-page';

const link = (_: string, label: string, target: string): string =>
  /^(?:https:\/\/|\/|#)/.test(target) ? `<a href="${target}">${label}</a>` : label;

export const renderInline = (text: string): string =>
  escapeHtml(text)
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replaceAll(/\[([^\]]+)\]\(([^)\s]+)\)/g, link);

/** As Markdown viewers make it of a heading. */
export const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

const renderBlock = (block: string): string => {
  const code = /^```\S*\n([\s\S]*?)\n```$/.exec(block);
  if (code !== null) return `<pre tabindex="0"><code>${escapeHtml(code[1] ?? '')}</code></pre>`;
  const heading = /^## (.*)$/.exec(block);
  if (heading !== null) return `<h2 id="${anchorOf(heading[1] ?? '')}">${renderInline(heading[1] ?? '')}</h2>`;
  return `<p>${renderInline(block)}</p>`;
};

export const renderProse = (markdown: string): string =>
  markdown
    .trim()
    .split(/\n{2,}/)
    .map(renderBlock)
    .join('\n');
