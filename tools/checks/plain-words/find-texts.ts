/** Finds phrases that `docs/glossary.md` has another word for, in the texts that a source file shows to people. */
import * as ts from 'typescript';
import type { FoundWord } from './find-words';

export interface Phrase {
  readonly phrase: string;
  readonly instead: string;
}

const heading = '## Texts that people read';

/** The rows of the glossary's table: what not to write, and what to write. */
export const phrasesOf = (glossary: string): readonly Phrase[] => {
  const [, section = ''] = glossary.split(`${heading}\n`);
  const [table = ''] = section.split('\n## ');
  const rows = table.split('\n').filter((line) => line.startsWith('| '));
  return rows.slice(1).flatMap((row) => {
    const [, phrases = '', instead = ''] = row.split('|').map((cell) => cell.trim());
    return phrases.split(', ').map((phrase) => ({ phrase, instead }));
  });
};

/** A quoted word is a value, as in SQL. "there is no …" is how English says it; "… is no file" is not. */
const patternOf = ({ phrase }: Phrase): RegExp =>
  new RegExp(
    phrase === 'is no' ? String.raw`(?<!there )\bis no (?!longer\b)` : String.raw`(?<!['\`])\b${phrase}\b(?!['\`(])`,
    'i',
  );

/** A word in lower case alone is a key or a value. */
const isSentence = /\s|^[A-Z]/;

const isText = (node: ts.Node): node is ts.JsxText | ts.LiteralLikeNode =>
  ts.isJsxText(node) ||
  ts.isStringLiteral(node) ||
  ts.isNoSubstitutionTemplateLiteral(node) ||
  ts.isTemplateHead(node) ||
  ts.isTemplateMiddle(node) ||
  ts.isTemplateTail(node);

export const findTexts = (path: string, source: string, phrases: readonly Phrase[]): readonly FoundWord[] => {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, false, kind);
  const patterns = phrases.map((phrase) => ({ ...phrase, pattern: patternOf(phrase) }));
  const found: FoundWord[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (isText(node)) {
      const text = node.text.replaceAll(/\s+/g, ' ').trim();
      const line = file.getLineAndCharacterOfPosition(node.end).line + 1;
      for (const { phrase, instead, pattern } of patterns)
        if (isSentence.test(text) && pattern.test(text))
          found.push({ line, text: text.slice(0, 100), word: phrase, instead });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
};
