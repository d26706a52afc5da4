/** Text of DrawingML: shapes, cells, diagrams, charts. */
import { cleanLine } from '../text-cleaning';
import { childrenOf, textOf, type XmlTree } from '../xml/read-trees';

const rawText = (tree: XmlTree): string =>
  childrenOf(tree)
    .map((child) => {
      if (child.name === 't') return textOf(child);
      if (child.name === 'br') return '\n';
      return child.name.endsWith('Pr') ? '' : rawText(child);
    })
    .join('');

/** Of `a:p`: lines where breaks stand; '' where nothing is displayed. */
export const paragraphText = (paragraph: XmlTree): string =>
  rawText(paragraph)
    // A vertical tab is a break, too.
    .split(/[\n\v]/)
    .map((line) => line.split('\t').map(cleanLine).join('\t').trimEnd())
    .join('\n')
    .trim();
