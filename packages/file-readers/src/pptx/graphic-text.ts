/** Text of diagrams (SmartArt) and charts, which stands in parts of their own. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { ReadFailure } from '../../../../domain/files/content/read-result';
import type { Archive } from '../archive/open-archive';
import { cleanLine } from '../text-cleaning';
import { childAt, childrenOf, outermost, readTrees, textOf, type XmlTree } from '../xml/read-trees';
import { paragraphText } from './text';

type Texts = Either<ReadFailure, readonly string[]>;

const readTexts = async (
  archive: Archive,
  part: string,
  { isTree, textsOf }: { isTree: (name: string) => boolean; textsOf: (tree: XmlTree) => readonly string[] },
): Promise<Texts> => {
  const texts: string[] = [];
  const reading = readTrees(archive, part, isTree);
  let step = await reading.next();
  for (; step.done !== true; step = await reading.next())
    if (step.value.kind === 'tree') texts.push(...textsOf(step.value.tree).filter((text) => text !== ''));
  return isLeft(step.value) ? step.value : right(texts);
};

/** Points that only connect or lay out others repeat their text. */
const contentPoints = new Set(['node', 'asst', 'doc']);

/** A text for each paragraph of a diagram's points. */
export const diagramTexts = (archive: Archive, part: string): Promise<Texts> =>
  readTexts(archive, part, {
    isTree: (name) => name === 'pt',
    textsOf: (point) =>
      contentPoints.has(point.attributes.get('type') ?? 'node')
        ? childrenOf(childAt(point, 't'))
            .filter(({ name }) => name === 'p')
            .map(paragraphText)
        : [],
  });

const maxChartTexts = 500;

/** Titles, names of series and categories of a chart, each once. Numbers are left out. */
export const chartTexts = async (archive: Archive, part: string): Promise<Texts> => {
  const read = await readTexts(archive, part, {
    isTree: (name) => name === 'title' || name === 'tx' || name === 'cat',
    textsOf: (tree) => [
      ...[...outermost(tree, 'p')].map(paragraphText),
      ...[...outermost(tree, 'strCache')].flatMap((cache) =>
        [...outermost(cache, 'v')].map((value) => cleanLine(textOf(value)).trim()),
      ),
    ],
  });
  return isLeft(read) ? read : right([...new Set(read.right)].slice(0, maxChartTexts));
};
