/** Pages of what a group follows: a stream, `$all`, or what the group parked. */
import { firstVisible, isMissing } from '../storage/heads';
import { endOf, type Matches, readAllPage, readStreamPage } from '../storage/read';
import { idOf, revisionOf, type StoredRecord } from '../storage/record';
import type { Storage } from '../storage/storage';
import type { Found, Page } from './message';

export interface Source {
  readonly page: (from: number, limit: number) => Page;
  /** The newest place there is. */
  readonly last: () => number | undefined;
  /** The stream's number for the bell; undefined: any commit may concern it. */
  readonly number: () => number | undefined;
}

/** A number for what must go to the same consumer. */
export type PinOf = (record: StoredRecord) => number;

export const streamSource = (storage: Storage, name: Buffer, pinOf: PinOf): Source => {
  const page = (from: number, limit: number): Page => {
    const head = storage.heads.get(name);
    if (head === undefined || isMissing(head)) return { found: [], looked: 0, last: undefined, next: from, end: true };
    const lowest = Math.min(firstVisible(name, head), head.last + 1);
    const start = Math.max(from, lowest);
    const { records, next } = readStreamPage(storage.tables, { name, head, from: start, direction: 'forwards', limit });
    const found = records.map((record, index): Found => {
      const before = records[index - 1];
      const previous = before === undefined ? undefined : revisionOf(before.bytes);
      const { position, bytes } = record;
      return { at: revisionOf(bytes), previous, ordinal: index + 1, position, id: idOf(bytes), pin: pinOf(record) };
    });
    const goOn = next ?? Math.max(start, head.last + 1);
    return { found, looked: found.length, last: goOn - 1, next: goOn, end: next === undefined };
  };
  return {
    page,
    last: () => {
      const head = storage.heads.get(name);
      return head === undefined || isMissing(head) ? undefined : head.last;
    },
    number: () => storage.heads.get(name)?.number,
  };
};

/** How many events one page looks at. */
const window = 256;

export const allSource = ({ tables }: Storage, matches: Matches, pinOf: PinOf): Source => {
  const page = (from: number, limit: number): Page => {
    const found: Found[] = [];
    let looked = 0;
    let previous: number | undefined;
    const note: Matches = (record) => {
      const matching = matches(record);
      looked += 1;
      const { position, bytes } = record;
      if (matching)
        found.push({ at: position, previous, ordinal: looked, position, id: idOf(bytes), pin: pinOf(record) });
      previous = position;
      return matching;
    };
    const { last, more } = readAllPage(tables, { from, direction: 'forwards', limit, window, matches: note });
    return { found, looked, last, next: last === undefined ? from : last + 1, end: !more };
  };
  return { page, last: () => endOf(tables), number: () => undefined };
};
