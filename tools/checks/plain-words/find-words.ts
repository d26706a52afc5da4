/** Finds words that hide a term, in the names that a source file declares and in its comments. */
import * as ts from 'typescript';
import { wordsOfComments, wordsOfNames } from './words';

export interface FoundWord {
  /** From 1. */
  readonly line: number;
  /** The name or the part of the comment. */
  readonly text: string;
  readonly word: string;
  readonly instead: string;
}

/** `given('…')` of tests is the word of behaviour-driven development, and `seen` the usual name of a visited set: neither is listed. */
const partsOf = (name: string): readonly string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[\s_.-]+/);

export const findInName = (name: string): { readonly word: string; readonly instead: string } | undefined => {
  const word = partsOf(name).find((part) => Object.hasOwn(wordsOfNames, part));
  return word === undefined ? undefined : { word, instead: wordsOfNames[word] ?? '' };
};

const commentWords = new RegExp(`\\b(?:${Object.keys(wordsOfComments).join('|')})\\b`, 'gi');

/** Comments quote what users read or write by backticks or double quotes: that is not ours. */
const withoutQuotes = (comment: string): string =>
  comment.replaceAll(/`[^`]*`|"[^"\n]*"/g, (quoted) => ' '.repeat(quoted.length));

const isDeclaration = (node: ts.Node): node is ts.NamedDeclaration =>
  ts.isFunctionDeclaration(node) ||
  ts.isVariableDeclaration(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  ts.isClassDeclaration(node) ||
  ts.isMethodSignature(node) ||
  ts.isParameter(node) ||
  (ts.isPropertySignature(node) && !ts.isStringLiteral(node.name)) ||
  (ts.isBindingElement(node) && node.propertyName !== undefined);

export const findWords = (path: string, source: string): readonly FoundWord[] => {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, false, kind);
  const lineOf = (position: number): number => file.getLineAndCharacterOfPosition(position).line + 1;
  const comments = new Map<number, ts.CommentRange>();
  const found: FoundWord[] = [];
  const visit = (node: ts.Node): void => {
    for (const range of ts.getLeadingCommentRanges(source, node.pos) ?? []) comments.set(range.pos, range);
    for (const range of ts.getTrailingCommentRanges(source, node.end) ?? []) comments.set(range.pos, range);
    if (isDeclaration(node) && node.name !== undefined && ts.isIdentifier(node.name)) {
      const word = findInName(node.name.text);
      if (word !== undefined) found.push({ line: lineOf(node.name.end), text: node.name.text, ...word });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  for (const { pos, end } of comments.values()) {
    const comment = source.slice(pos, end);
    for (const match of withoutQuotes(comment).matchAll(commentWords)) {
      const word = match[0].toLowerCase();
      const text = comment
        .slice(Math.max(0, match.index - 30), match.index + 40)
        .replaceAll(/\s+/g, ' ')
        .trim();
      found.push({ line: lineOf(pos + match.index), text, word, instead: wordsOfComments[word] ?? '' });
    }
  }
  return found.sort((one, other) => one.line - other.line);
};
