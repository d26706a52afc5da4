/** The text of a paragraph as Word displays it, without marks of changes. */
import { cleanLine } from '../text-cleaning';
import { childAt, childrenOf, isOn, outermost, textOf, type XmlTree } from '../xml/read-trees';
import { symbol } from './symbols';

export interface NoteReference {
  readonly kind: 'footnote' | 'endnote';
  readonly id: string;
}

export interface ParagraphContent {
  /** Of several lines where breaks stand; '' where nothing is displayed. */
  readonly text: string;
  /** The content of each text box that is anchored in it. */
  readonly textBoxes: readonly XmlTree[];
  readonly notes: readonly NoteReference[];
}

/** What was left out of a document, for its notices. */
export interface Omissions {
  hasDeletedText: boolean;
  hasHiddenText: boolean;
}

/** Of one part, for fields go on over paragraphs: each entry is one that is open. */
export type OpenFields = ('instruction' | 'result')[];

/** Properties, and what is not displayed: readings above letters, names of fonts, data of fields. */
const withoutText = new Set(['pPr', 'rPr', 'rt', 'sdtPr', 'sdtEndPr', 'ffData', 'fldData', 'instrText', 'delText']);

const characters: Readonly<Record<string, string>> = {
  tab: '\t',
  ptab: '\t',
  br: '\n',
  cr: '\n',
  noBreakHyphen: '-',
};

/** Lines of a paragraph, cleaned; their tabs stay. */
const cleanLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.split('\t').map(cleanLine).join('\t').trimEnd())
    .join('\n')
    .trim();

export const readParagraph = (paragraph: XmlTree, fields: OpenFields, omissions: Omissions): ParagraphContent => {
  let text = '';
  const textBoxes: XmlTree[] = [];
  const notes: NoteReference[] = [];

  const add = (more: string): void => {
    if (!fields.includes('instruction')) text += more;
  };
  const readField = (type: string | undefined): void => {
    if (type === 'begin') fields.push('instruction');
    else if (type === 'separate' && fields.length > 0) fields[fields.length - 1] = 'result';
    else if (type === 'end') fields.pop();
  };
  const readChildren = (tree: XmlTree): void => {
    for (const child of childrenOf(tree)) read(child);
  };
  const read = (tree: XmlTree): void => {
    const { name, attributes } = tree;
    if (withoutText.has(name)) return;
    if (name === 't') {
      const content = textOf(tree);
      add(attributes.getPrefixed('space') === 'preserve' ? content : content.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, ''));
    } else if (name in characters) add(characters[name] ?? '');
    else if (name === 'sym') add(symbol(attributes.getPrefixed('font') ?? '', attributes.getPrefixed('char') ?? ''));
    else if (name === 'fldChar') readField(attributes.getPrefixed('fldCharType'));
    else if (name === 'del' || name === 'moveFrom') omissions.hasDeletedText = true;
    else if (name === 'r' && isOn(childAt(tree, 'rPr', 'vanish'))) {
      omissions.hasHiddenText ||= childAt(tree, 't') !== undefined;
      // Fields begin and end in hidden text, too.
      for (const child of childrenOf(tree))
        if (child.name === 'fldChar') readField(child.attributes.getPrefixed('fldCharType'));
    } else if (name === 'footnoteReference' || name === 'endnoteReference')
      notes.push({
        kind: name === 'footnoteReference' ? 'footnote' : 'endnote',
        id: attributes.getPrefixed('id') ?? '',
      });
    else if (name === 'drawing' || name === 'pict' || name === 'object')
      textBoxes.push(...outermost(tree, 'txbxContent'));
    else readChildren(tree);
  };

  readChildren(paragraph);
  // A damaged document may begin a field and never end it; instructions of several paragraphs are rare.
  while (fields.includes('instruction')) fields.splice(fields.indexOf('instruction'), 1);
  return { text: cleanLines(text), textBoxes, notes };
};
