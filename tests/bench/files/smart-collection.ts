/**
 * Reads a judged collection in SMART form: one file `*.all` of documents (`.I` number, `.T` title, `.A` authors, `.W` text), `topics*` of
 * questions (`<DOC>` with `<DOCNO>`) and `qrels*` of judgments (question, unused, document, relevance).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface JudgedDocument {
  readonly id: string;
  readonly title: string;
  readonly authors: string;
  /** Empty for about half of older collections. */
  readonly text: string;
}

export interface JudgedQuery {
  readonly id: string;
  readonly text: string;
  readonly relevant: ReadonlySet<string>;
}

export interface JudgedCollection {
  readonly documents: readonly JudgedDocument[];
  /** Those with at least one relevant document. */
  readonly queries: readonly JudgedQuery[];
}

const documentsIn = (text: string): readonly JudgedDocument[] =>
  text
    .split(/^\.I /m)
    .slice(1)
    .map((record) => {
      const [id = '', ...parts] = record.split(/^\.(?=[A-Z]\s*$)/m);
      const part = (letter: string): string =>
        parts
          .filter((one) => one.startsWith(letter))
          .map((one) => one.slice(1).trim())
          .join('\n');
      return { id: id.trim(), title: part('T').replaceAll(/\s+/g, ' '), authors: part('A'), text: part('W') };
    });

/** `CACM-1410` and `01410` name document 1410. */
const documentId = (name: string): string => name.replace(/^.*?0*(\d+)$/, '$1');

const judgmentsIn = (text: string): ReadonlyMap<string, ReadonlySet<string>> => {
  const relevant = new Map<string, Set<string>>();
  for (const line of text.split('\n')) {
    const [query = '', , name = '', relevance] = line.trim().split(/\s+/);
    if (name === '' || relevance === '0') continue;
    relevant.set(query, (relevant.get(query) ?? new Set()).add(documentId(name)));
  }
  return relevant;
};

const queryPattern = /<DOCNO>\s*(\S+)\s*<\/DOCNO>([\s\S]*?)<\/DOC>/g;

export const readCollection = (directory: string): JudgedCollection => {
  const names = readdirSync(directory);
  const read = (pattern: RegExp): string => {
    const name = names.find((one) => pattern.test(one));
    if (name === undefined) throw new Error(`The directory has no file whose name matches ${pattern}.`);
    return readFileSync(join(directory, name), 'utf8');
  };
  const judgments = judgmentsIn(read(/^qrels/));
  const queries = [...read(/^topics/).matchAll(queryPattern)].flatMap(([, id = '', text = '']) => {
    const relevant = judgments.get(id);
    return relevant === undefined ? [] : [{ id, text: text.trim().replaceAll(/\s+/g, ' '), relevant }];
  });
  return { documents: documentsIn(read(/\.all$/)), queries };
};
