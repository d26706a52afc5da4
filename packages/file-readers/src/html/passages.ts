/** Collects the text of a page block by block, with the lines that it stands in. */
import { type Element, maxElementText } from '../../../../domain/files/content/element';
import { cleanCell } from '../tables/row-elements';
import { cleanCodeLine, lineElement } from '../text/line-passages';
import { cleanLine, cutBefore } from '../text-cleaning';
import type { BlockKind } from './tags';

export interface PassageCollector {
  readonly begin: (block: BlockKind) => void;
  readonly end: (block: BlockKind) => void;
  /** `line`: of its first character. */
  readonly text: (text: string, line: number) => void;
  readonly lineBreak: () => void;
  readonly finish: () => readonly Element[];
}

interface OpenText {
  text: string;
  lineStart: number;
  lineEnd: number;
}

interface OpenRow {
  readonly cells: string[];
  areHeaders: boolean;
  lineStart: number;
  lineEnd: number;
}

const noText = (): OpenText => ({ text: '', lineStart: 0, lineEnd: 0 });
const breaksIn = (text: string): number => text.split('\n').length - 1;

export const passageCollector = (): PassageCollector => {
  const elements: Element[] = [];
  /** Without plain blocks, of which pages nest thousands. */
  const blocks: BlockKind[] = [];
  let openCode = 0;
  let open = noText();
  let row: OpenRow | undefined;
  let rowsOfTable = 0;

  const add = (form: Pick<Element, 'kind' | 'modality' | 'level'>, passage: OpenText): void => {
    for (let rest = passage.text; rest.trim() !== ''; ) {
      const end = cutBefore(rest, maxElementText);
      const { lineStart, lineEnd } = passage;
      elements.push(lineElement({ ...form, text: rest.slice(0, end), lineStart, lineEnd }));
      rest = rest.slice(end);
    }
  };
  const isCode = (): boolean => openCode > 0;
  const flush = (): void => {
    const block = blocks.at(-1);
    const passage = open;
    open = noText();
    if (isCode()) {
      const text = passage.text
        .split('\n')
        .map(cleanCodeLine)
        .join('\n')
        .replace(/^\n+|\s+$/g, '');
      add({ kind: 'code', modality: 'code', level: null }, { ...passage, text });
      return;
    }
    const text = passage.text
      .split('\n')
      .map((line) => cleanLine(line).replace(/ {2,}/g, ' ').trim())
      .join('\n')
      .trim();
    if (block?.kind === 'heading') add({ kind: 'heading', modality: 'text', level: block.level }, { ...passage, text });
    else if (block?.kind === 'list_item' || block?.kind === 'caption')
      add({ kind: block.kind, modality: 'text', level: null }, { ...passage, text });
    else add({ kind: 'paragraph', modality: 'text', level: null }, { ...passage, text });
  };
  const endCell = (isHeader: boolean): void => {
    if (row === undefined) return;
    row.cells.push(cleanCell(open.text));
    row.areHeaders &&= isHeader || open.text.trim() === '';
    if (open.lineStart > 0) {
      row.lineStart ||= open.lineStart;
      row.lineEnd = Math.max(row.lineEnd, open.lineEnd);
    }
    open = noText();
  };
  const endRow = (): void => {
    if (row === undefined) return;
    const { cells, areHeaders, lineStart, lineEnd } = row;
    const kind = areHeaders && rowsOfTable === 0 ? 'header' : 'row';
    rowsOfTable += 1;
    add({ kind, modality: 'table', level: null }, { text: cells.join('\t').trimEnd(), lineStart, lineEnd });
    row = undefined;
  };

  return {
    begin: (block) => {
      // In a cell, blocks are parted by a blank: it is one text.
      if (row !== undefined && block.kind !== 'table-row' && block.kind !== 'cell' && block.kind !== 'header-cell') {
        open.text += ' ';
        return;
      }
      if (row === undefined) flush();
      if (block.kind !== 'paragraph') blocks.push(block);
      if (block.kind === 'code') openCode += 1;
      if (block.kind === 'table') rowsOfTable = 0;
      if (block.kind === 'table-row') row = { cells: [], areHeaders: true, lineStart: 0, lineEnd: 0 };
    },
    end: (block) => {
      const isOfTable = block.kind === 'table-row' || block.kind === 'cell' || block.kind === 'header-cell';
      if (row !== undefined && !isOfTable) {
        open.text += ' ';
        return;
      }
      if (block.kind === 'cell' || block.kind === 'header-cell') endCell(block.kind === 'header-cell');
      else if (block.kind === 'table-row') endRow();
      else flush();
      if (block.kind !== 'paragraph') blocks.pop();
      if (block.kind === 'code') openCode -= 1;
    },
    text: (text, line) => {
      if (text.trim() === '') {
        if (open.text !== '') open.text += isCode() ? text : ' ';
        return;
      }
      const leading = (isCode() ? /^(?:[ \t]*\n)*/ : /^\s*/).exec(text)?.[0] ?? '';
      const trailing = /\s*$/.exec(text)?.[0] ?? '';
      if (open.lineStart === 0) open.lineStart = line + breaksIn(leading);
      open.lineEnd = Math.max(open.lineEnd, line + breaksIn(text) - breaksIn(trailing));
      open.text += isCode() ? text : text.replace(/\s+/g, ' ');
    },
    lineBreak: () => {
      if (open.text !== '') open.text += row === undefined ? '\n' : ' ';
    },
    finish: () => {
      flush();
      return elements;
    },
  };
};
