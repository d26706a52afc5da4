/** What elements of a page mean for its text. */
import type { DefaultTreeAdapterMap } from 'parse5';

type Node = DefaultTreeAdapterMap['node'];
type HtmlElement = DefaultTreeAdapterMap['element'];

export type BlockKind =
  | { readonly kind: 'heading'; readonly level: number }
  | { readonly kind: 'paragraph' | 'list_item' | 'caption' | 'code' | 'table' | 'table-row' | 'cell' | 'header-cell' };

const skipped = new Set(
  'script style template noscript iframe object embed svg math canvas audio video select datalist textarea'.split(' '),
);
const kinds = new Map<string, BlockKind['kind']>([
  ...'li dt dd summary'.split(' ').map((tag) => [tag, 'list_item'] as const),
  ...'caption figcaption legend'.split(' ').map((tag) => [tag, 'caption'] as const),
  ...'pre listing xmp plaintext'.split(' ').map((tag) => [tag, 'code'] as const),
  ...'p div section article main aside header footer nav form fieldset address blockquote ul ol dl figure details hr body center dir menu table tbody'
    .split(' ')
    .map((tag) => [tag, 'paragraph'] as const),
]);
const tableKinds = new Map<string, BlockKind['kind']>([
  ['table', 'table'],
  ['tr', 'table-row'],
  ['td', 'cell'],
  ['th', 'header-cell'],
]);

export const isSkipped = (tag: string): boolean => skipped.has(tag);

const attribute = (element: HtmlElement, name: string): string | undefined =>
  element.attrs.find((each) => each.name === name)?.value;

/** Readers of the page do not see it, so no citation can lead to it. */
export const isHidden = (element: HtmlElement): boolean =>
  attribute(element, 'hidden') !== undefined ||
  /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(attribute(element, 'style') ?? '');

/** Tables that place parts of a page, and have no rows to read: they hold headings, or other tables. */
export const layoutTables = (root: Node): ReadonlySet<Node> => {
  const layouts = new Set<Node>();
  const waiting: Node[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if ('tagName' in node && /^(?:table|h[1-6])$/.test(node.tagName)) markAround(node, layouts);
    if ('childNodes' in node) for (const child of node.childNodes) waiting.push(child);
  }
  return layouts;
};

/** Up to a table that is marked: those around it are, too. */
const markAround = (start: HtmlElement, layouts: Set<Node>): void => {
  let node: Node | null = start.parentNode;
  while (node !== null && !layouts.has(node)) {
    if (node.nodeName === 'table') layouts.add(node);
    node = 'parentNode' in node ? node.parentNode : null;
  }
};

const tableOf = (element: HtmlElement): Node | undefined => {
  let node: Node | null = element;
  for (let steps = 0; node !== null && steps < 4; steps += 1) {
    if (node.nodeName === 'table') return node;
    node = 'parentNode' in node ? node.parentNode : null;
  }
  return undefined;
};

/** Undefined for what stands within a line. */
export const blockKind = (element: HtmlElement, layouts: ReadonlySet<Node>): BlockKind | undefined => {
  const [, level] = /^h([1-6])$/.exec(element.tagName) ?? [];
  if (level !== undefined) return { kind: 'heading', level: Number(level) };
  const tableKind = tableKinds.get(element.tagName);
  if (tableKind !== undefined) {
    const table = tableOf(element);
    return { kind: table === undefined || layouts.has(table) ? 'paragraph' : (tableKind as 'table') };
  }
  const kind = kinds.get(element.tagName);
  return kind === undefined ? undefined : { kind: kind as 'paragraph' };
};
