/** Texts with `${{ expression }}` in them, cut into their parts. */

export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'expression'; readonly text: string; readonly index: number };

const opening = '${{';

/** Of `}}`, from `begin`; an apostrophe begins and ends text in which it means nothing. */
const endOfExpression = (text: string, begin: number): number => {
  let quoted = false;
  for (let at = begin; at < text.length - 1; at += 1) {
    if (text[at] === "'") quoted = !quoted;
    else if (!quoted && text[at] === '}' && text[at + 1] === '}') return at;
  }
  return -1;
};

/** An expression that is not closed is text: the parser reports it. `index` counts every opening from 0. */
export const templateParts = (text: string): readonly TemplatePart[] => {
  const parts: TemplatePart[] = [];
  let position = 0;
  let index = 0;
  for (;;) {
    const begin = text.indexOf(opening, position);
    const end = begin < 0 ? -1 : endOfExpression(text, begin + opening.length);
    if (end < 0) break;
    if (begin > position) parts.push({ kind: 'text', text: text.slice(position, begin) });
    parts.push({ kind: 'expression', text: text.slice(begin + opening.length, end).trim(), index });
    index += text.slice(begin, end).split(opening).length - 1;
    position = end + 2;
  }
  if (position < text.length) parts.push({ kind: 'text', text: text.slice(position) });
  return parts;
};

/** Expression of a condition: `${{ }}` may be left out around all of it, and text around it makes text of it, as on GitHub. */
export const conditionExpression = (text: string): string => {
  const trimmed = text.trim();
  const parts = templateParts(trimmed);
  const [only] = parts;
  if (parts.every(({ kind }) => kind === 'text')) return trimmed;
  if (parts.length === 1 && only !== undefined) return only.text;
  const expressions = parts.filter(({ kind }) => kind === 'expression').map(({ text: each }) => each);
  let count = 0;
  const format = parts
    .map((part) =>
      part.kind === 'expression' ? `{${count++}}` : part.text.replaceAll("'", "''").replace(/[{}]/g, '$&$&'),
    )
    .join('');
  return `format('${format}', ${expressions.join(', ')})`;
};

/** Whether an expression begins in the text and does not end. */
export const hasUnclosedExpression = (text: string): boolean => {
  const last = templateParts(text).at(-1);
  return last?.kind === 'text' && last.text.includes(opening);
};
