/** Reads Markdown. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { gfmTable } from 'micromark-extension-gfm-table';
import type { Element } from '../../../../domain/files/content/element';
import type { DocumentFacts, ReadFailure } from '../../../../domain/files/content/read-result';
import { documentFacts, type ReadableFile, type ReadLimits } from '../reader';
import { cleanCell } from '../tables/row-elements';
import { linesOfText } from '../text/decode';
import { cleanCodeLine, type LinePassage, lineElements } from '../text/line-passages';
import { readFileText } from '../text/read-file-text';
import { paragraphs } from '../text/read-text';
import { cleanLine, titleText } from '../text-cleaning';

type Tree = ReturnType<typeof fromMarkdown>;
type Node = Tree | Tree['children'][number];

/** Parsing takes long for texts above, and longer than their size suggests for hostile ones. */
const maxParsed = 500_000;
const maxFrontMatterLines = 200;
const maxDepth = 200;

/** Blank lines stand for it, so that what follows keeps its numbers. */
interface FrontMatter {
  readonly lines: readonly string[];
  readonly title: string | null;
}

const frontMatterOf = (lines: readonly string[]): FrontMatter => {
  if (lines[0]?.trim() !== '---') return { lines: [], title: null };
  const end = lines.slice(1, maxFrontMatterLines).findIndex((line) => /^(?:---|\.\.\.)\s*$/.test(line));
  if (end < 0) return { lines: [], title: null };
  const own = lines.slice(0, end + 2);
  const [, title = ''] = own.map((line) => /^title:\s*(.+)$/.exec(line)).find((match) => match !== null) ?? [];
  return { lines: own, title: titleText(title.trim().replace(/^(['"])(.*)\1$/, '$2')) };
};

/** Without markup. Line breaks stay: a text's lines are those of the file. */
const inlineText = (node: Node, depth = 0): string => {
  if (node.type === 'break') return '\n';
  if (node.type === 'image' || node.type === 'imageReference') return node.alt ?? '';
  if (node.type === 'html') return node.value.replace(/<[^>]*>/g, '');
  if ('value' in node) return node.value;
  if (!('children' in node) || depth > maxDepth) return '';
  return node.children.map((child) => inlineText(child as Node, depth + 1)).join('');
};

const withoutTags = (html: string): string =>
  html.replace(/<!--[\s\S]*?-->|<(script|style)\b[\s\S]*?<\/\1\s*>/gi, '').replace(/<[^>]*>/g, ' ');

interface Block {
  readonly text: string;
  readonly form: Pick<LinePassage, 'kind' | 'modality' | 'level'>;
  readonly lineStart: number;
  readonly lineEnd: number;
}

const lineSpan = (node: Node): Pick<Block, 'lineStart' | 'lineEnd'> => ({
  lineStart: node.position?.start.line ?? 1,
  lineEnd: node.position?.end.line ?? 1,
});

const tableBlocks = (table: Node): readonly Block[] =>
  'children' in table
    ? table.children.map((row, index) => ({
        text: 'children' in row ? row.children.map((cell) => cleanCell(inlineText(cell as Node))).join('\t') : '',
        form: { kind: index === 0 ? 'header' : 'row', modality: 'table' },
        ...lineSpan(row as Node),
      }))
    : [];

/** Undefined for what has blocks within. */
const blocksOf = (node: Node, isInList: boolean, source: readonly string[]): readonly Block[] | undefined => {
  const modality = 'text';
  if (node.type === 'heading')
    return [{ text: inlineText(node), form: { kind: 'heading', modality, level: node.depth }, ...lineSpan(node) }];
  if (node.type === 'paragraph')
    return [
      { text: inlineText(node), form: { kind: isInList ? 'list_item' : 'paragraph', modality }, ...lineSpan(node) },
    ];
  if (node.type === 'html')
    return [{ text: withoutTags(node.value), form: { kind: 'paragraph', modality }, ...lineSpan(node) }];
  if (node.type === 'code')
    return [{ text: node.value, form: { kind: 'code', modality: 'code' }, ...codeSpan(node, source) }];
  if (node.type === 'table') return tableBlocks(node);
  return 'children' in node ? undefined : [];
};

/** Without its fences, if it has some. */
const codeSpan = (node: Node, source: readonly string[]): Pick<Block, 'lineStart' | 'lineEnd'> => {
  const { line = 1, column = 1 } = node.position?.start ?? {};
  const isFenced = /^(?:```|~~~)/.test((source[line - 1] ?? '').slice(column - 1).trimStart());
  const lineStart = isFenced ? line + 1 : line;
  const lines = 'value' in node ? node.value.split('\n').length : 1;
  return { lineStart, lineEnd: Math.min(lineStart + lines - 1, source.length) };
};

const elementsOf = ({ text, form, lineStart, lineEnd }: Block): readonly Element[] => {
  const clean =
    form.modality === 'code' ? cleanCodeLine : (line: string) => cleanLine(line).replace(/ {2,}/g, ' ').trim();
  // Cells are parted by tabs, which are no blanks to be cleaned.
  const lines = form.modality === 'table' ? [text.trimEnd()] : text.split('\n').map(clean);
  return lineElements(lines, lineStart, form).map((element) => ({
    ...element,
    anchor: lines.length === lineEnd - lineStart + 1 ? element.anchor : { type: 'line_range', lineStart, lineEnd },
  }));
};

function* treeElements(tree: Tree, source: readonly string[]): Generator<Element> {
  const waiting: { readonly node: Node; readonly isInList: boolean }[] = [{ node: tree, isInList: false }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, isInList } = next;
    const blocks = blocksOf(node, isInList, source);
    if (blocks !== undefined) yield* blocks.flatMap(elementsOf);
    else if ('children' in node)
      for (const child of [...node.children].reverse())
        waiting.push({ node: child as Node, isInList: isInList || node.type === 'listItem' });
  }
}

/** Undefined: it is nested deeper than the parser can follow. */
const parseTree = (text: string): Tree | undefined => {
  try {
    return fromMarkdown(text, { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
};

export async function* readMarkdown(
  file: ReadableFile,
  limits: ReadLimits,
): AsyncGenerator<Element, Either<ReadFailure, DocumentFacts>> {
  const decoded = await readFileText(file, limits);
  if (isLeft(decoded)) return decoded;
  const { text, encoding } = decoded.right;
  const lines = linesOfText(text);
  const front = frontMatterOf(lines);
  yield* paragraphs(front.lines.map((line) => (line.trim() === '---' ? '' : line)));
  const body = [...front.lines.map(() => ''), ...lines.slice(front.lines.length)];
  const tree = text.length > maxParsed ? undefined : parseTree(body.join('\n'));
  if (tree === undefined) {
    yield* paragraphs(body);
    return right(
      documentFacts({
        format: 'markdown',
        encoding,
        title: front.title,
        notices: ['It is read as plain text, for it is too long or too deeply nested.'],
      }),
    );
  }
  const first = tree.children.find((node) => node.type === 'heading' && node.depth === 1);
  yield* treeElements(tree, body);
  return right(
    documentFacts({
      format: 'markdown',
      encoding,
      title: front.title ?? (first === undefined ? null : titleText(inlineText(first))),
    }),
  );
}
