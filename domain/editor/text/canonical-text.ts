/** Canonical text of a `Y.Doc`: equal for equal documents. */
import * as Y from 'yjs';
import { textRootName } from './update-validation';

export function* iterateItems(document: Y.Doc): Generator<Y.Item> {
  for (let item = document.get(textRootName)._start; item !== null; item = item.right) yield item;
}

interface Run {
  readonly client: number;
  readonly clock: number;
  length: number;
  /** Null if deleted. */
  content: string | null;
}

const contentOf = ({ content, deleted }: Y.Item): string | null => {
  if (deleted) return null;
  if (content instanceof Y.ContentString) return content.str;
  return content instanceof Y.ContentFormat ? `\u0000${content.key}=${JSON.stringify(content.value)}` : '';
};

const follows = (last: Run | undefined, item: Y.Item, content: string | null): last is Run => {
  if (last === undefined || last.client !== item.id.client) return false;
  return last.clock + last.length === item.id.clock && (last.content === null) === (content === null);
};

export const canonicalDocument = (document: Y.Doc): string => {
  const runs: Run[] = [];
  for (const item of iterateItems(document)) {
    const content = contentOf(item);
    const last = runs.at(-1);
    if (follows(last, item, content)) {
      last.length += item.length;
      last.content = content === null || last.content === null ? null : last.content + content;
    } else runs.push({ client: item.id.client, clock: item.id.clock, length: item.length, content });
  }
  return JSON.stringify(runs.map(({ client, clock, length, content }) => [client, clock, length, content]));
};
