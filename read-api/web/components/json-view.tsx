/** Formatted JSON, always rendered as text. */

/** Where the value of a field leads; undefined: nowhere. */
export type LinkOf = (field: string, value: string) => string | undefined;

interface Piece {
  readonly kind: 'key' | 'text' | 'value' | 'mark' | 'plain';
  readonly text: string;
  readonly href?: string;
}

/** Longer texts are not coloured: too many elements. */
const longestColoured = 60_000;

const marked = /\{\s*"(sealed|forgotten|withheld)": true\s*\}/;
const tokens = new RegExp(
  `${marked.source}|"(?:[^"\\\\]|\\\\.)*"(?=:)|"(?:[^"\\\\]|\\\\.)*"|\\b(?:true|false|null)\\b|-?\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?`,
  'g',
);

const kindOf = (token: string, after: string): Piece['kind'] => {
  if (token.startsWith('{')) return 'mark';
  if (!token.startsWith('"')) return 'value';
  return after === ':' ? 'key' : 'text';
};

const unquoted = (token: string): string => JSON.parse(token) as string;

const piecesOf = (text: string, linkOf: LinkOf): readonly Piece[] => {
  const pieces: Piece[] = [];
  let from = 0;
  let field = '';
  for (const { 0: token, 1: mark, index } of text.matchAll(tokens)) {
    if (index > from) pieces.push({ kind: 'plain', text: text.slice(from, index) });
    from = index + token.length;
    const kind = kindOf(token, text[from] ?? '');
    if (kind === 'key') field = unquoted(token);
    const href = kind === 'text' ? linkOf(field, unquoted(token)) : undefined;
    pieces.push({ kind, text: mark ?? token, ...(href === undefined ? {} : { href }) });
  }
  return [...pieces, { kind: 'plain', text: text.slice(from) }];
};

export const jsonText = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value, null, 2));

const Coloured = ({ text, linkOf }: { readonly text: string; readonly linkOf: LinkOf }) =>
  piecesOf(text, linkOf).map(({ kind, text: piece, href }, index) => (
    <span key={index} class={kind === 'plain' ? undefined : kind}>
      {href === undefined ? piece : <a href={href}>{piece}</a>}
    </span>
  ));

interface Props {
  readonly value: unknown;
  readonly label: string;
  readonly linkOf?: LinkOf;
}

const noLink: LinkOf = () => undefined;

export const JsonView = ({ value, label, linkOf = noLink }: Props) => {
  const text = jsonText(value);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section class="json" tabIndex={0} aria-label={label}>
      <pre>{text.length > longestColoured ? text : <Coloured text={text} linkOf={linkOf} />}</pre>
    </section>
  );
};
