/** Reads HTML. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import { type DefaultTreeAdapterMap, parse } from 'parse5';
import type { Element } from '../../../../domain/files/content/element';
import type { DocumentFacts, ReadFailure } from '../../../../domain/files/content/read-result';
import { documentFacts, type ReadableFile, type ReadLimits } from '../reader';
import { readFileText } from '../text/read-file-text';
import { titleText } from '../text-cleaning';
import { passageCollector } from './passages';
import { blockKind, isHidden, isSkipped, layoutTables } from './tags';

type Node = DefaultTreeAdapterMap['node'];

const charset = /<(?:meta\b[^>]*?\bcharset\s*=\s*|\?xml\b[^>]*?\bencoding\s*=\s*)["']?([\w:.-]{1,40})/i;

/** Every node, and again when all within it were visited: a stack, for pages of others are nested deeper than calls can be. */
function* visits(root: Node): Generator<{ readonly node: Node; readonly isEnd: boolean }, void, boolean | undefined> {
  const waiting: { readonly node: Node; readonly isEnd: boolean }[] = [{ node: root, isEnd: false }];
  for (let visit = waiting.pop(); visit !== undefined; visit = waiting.pop()) {
    const isLeftOut = (yield visit) === true;
    if (visit.isEnd || isLeftOut || !('childNodes' in visit.node)) continue;
    waiting.push({ node: visit.node, isEnd: true });
    for (let index = visit.node.childNodes.length - 1; index >= 0; index -= 1) {
      const child = visit.node.childNodes[index];
      if (child !== undefined) waiting.push({ node: child, isEnd: false });
    }
  }
}

/** The parser leaves out the line break behind `<pre>`, but counts it to the text. */
const firstLine = (node: DefaultTreeAdapterMap['textNode'], source: string): number => {
  const { startLine = 1, startOffset = 0 } = node.sourceCodeLocation ?? {};
  const isBroken = node.parentNode?.nodeName === 'pre' && /[\r\n]/.test(source.charAt(startOffset));
  return isBroken && node.parentNode?.childNodes[0] === node ? startLine + 1 : startLine;
};

const htmlElements = (
  root: Node,
  source: string,
): { readonly elements: readonly Element[]; readonly title: string | null } => {
  const layouts = layoutTables(root);
  const collector = passageCollector();
  let title = '';
  let isTitle = false;
  const walk = visits(root);
  let step = walk.next();
  while (step.done !== true) {
    const { node, isEnd } = step.value;
    let isLeftOut = false;
    if (node.nodeName === '#text' && 'value' in node) {
      if (isTitle) title += node.value;
      else collector.text(node.value, firstLine(node, source));
    } else if ('tagName' in node) {
      isLeftOut = isSkipped(node.tagName) || isHidden(node);
      if (node.tagName === 'title' && node.namespaceURI.endsWith('xhtml')) isTitle = !isEnd;
      else if (node.tagName === 'br') {
        if (!isEnd) collector.lineBreak();
      } else if (!isLeftOut) {
        const kind = blockKind(node, layouts);
        if (kind !== undefined && isEnd) collector.end(kind);
        else if (kind !== undefined) collector.begin(kind);
      }
    }
    step = walk.next(isLeftOut);
  }
  return { elements: collector.finish(), title: titleText(title) };
};

export async function* readHtml(
  file: ReadableFile,
  limits: ReadLimits,
): AsyncGenerator<Element, Either<ReadFailure, DocumentFacts>> {
  const decoded = await readFileText(file, limits, (beginning) => charset.exec(beginning)?.[1]);
  if (isLeft(decoded)) return decoded;
  const { text, encoding } = decoded.right;
  const { elements, title } = htmlElements(parse(text, { sourceCodeLocationInfo: true }), text);
  yield* elements;
  return right(documentFacts({ format: 'html', encoding, title }));
}
