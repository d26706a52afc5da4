/** Passages of consecutive lines. Their text keeps its line breaks, as `\n`, so that a part of one is known by its lines, too. */
import { type Element, maxElementText } from '../../../../domain/files/content/element';
import { cleanLine, cutBefore } from '../text-cleaning';

export interface LinePassage {
  readonly kind: Element['kind'];
  readonly modality: Element['modality'];
  readonly level?: number | null;
  readonly text: string;
  readonly lineStart: number;
  readonly lineEnd: number;
}

/** Undefined where there is nothing to read. */
export const lineElement = ({ kind, modality, level = null, text, lineStart, lineEnd }: LinePassage): Element => ({
  kind,
  modality,
  level,
  text,
  anchor: { type: 'line_range', lineStart, lineEnd },
  words: [],
  confidence: null,
});

/** Of code, blanks at the start of a line and tabs are kept: they have a meaning. */
export const cleanCodeLine = (line: string): string => line.split('\t').map(cleanLine).join('\t').trimEnd();

/** Long lines, and passages of many, are cut into elements, each with the lines that it has text of. */
export const lineElements = (
  lines: readonly string[],
  firstLine: number,
  form: Pick<LinePassage, 'kind' | 'modality' | 'level'>,
): readonly Element[] => {
  const elements: Element[] = [];
  let text = '';
  let lineStart = firstLine;
  const finish = (lineEnd: number): void => {
    if (text.trim() !== '') elements.push(lineElement({ ...form, text, lineStart, lineEnd }));
    text = '';
  };
  for (const [index, line] of lines.entries()) {
    const number = firstLine + index;
    if (text !== '' && text.length + 1 + line.length > maxElementText) finish(number - 1);
    if (text === '') lineStart = number;
    else text += '\n';
    let rest = line;
    for (; rest.length > maxElementText; lineStart = number) {
      const end = cutBefore(rest, maxElementText);
      text = rest.slice(0, end);
      rest = rest.slice(end);
      finish(number);
    }
    text += rest;
  }
  finish(firstLine + lines.length - 1);
  return elements;
};
