/** Formatted JSON, always rendered as text. */

interface Piece {
  readonly kind: 'key' | 'text' | 'value' | 'mark' | 'plain';
  readonly text: string;
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

const piecesOf = (text: string): readonly Piece[] => {
  const pieces: Piece[] = [];
  let from = 0;
  for (const { 0: token, 1: mark, index } of text.matchAll(tokens)) {
    if (index > from) pieces.push({ kind: 'plain', text: text.slice(from, index) });
    from = index + token.length;
    pieces.push({ kind: kindOf(token, text[from] ?? ''), text: mark ?? token });
  }
  return [...pieces, { kind: 'plain', text: text.slice(from) }];
};

export const jsonText = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value, null, 2));

const Coloured = ({ text }: { readonly text: string }) =>
  piecesOf(text).map(({ kind, text: piece }, index) => (
    <span key={index} class={kind}>
      {piece}
    </span>
  ));

export const JsonView = ({ value, label }: { readonly value: unknown; readonly label: string }) => {
  const text = jsonText(value);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section class="json" tabIndex={0} aria-label={label}>
      <pre>{text.length > longestColoured ? text : <Coloured text={text} />}</pre>
    </section>
  );
};
