/** Subscriptions: read from disk until the end, say so once, then read again whenever the bell rings. */
import { randomUUID } from 'node:crypto';
import { type Bell, waitFor } from '../bell';
import type { Tables } from '../storage/database';
import { eventKey, numberOf } from '../storage/database';
import { firstVisible, type Head, isEnded, isMissing, readHead } from '../storage/heads';
import { endOf, isBoundary, readAllPage, readStreamPage } from '../storage/read';
import { handlerThrew, streamDeleted } from './errors';
import type { ReadOptions } from './options';
import type { Outgoing } from './outgoing';
import { replyFor } from './read';
import { caughtUpReply, checkpointReply, confirmationReply } from './wire';

export interface Source {
  readonly tables: Tables;
  readonly bell: Bell;
}

const startOfAll = (tables: Tables, { from }: ReadOptions): number => {
  if (from === 'start' || from === 0) return 0;
  const end = endOf(tables) ?? 0;
  if (from === 'end') return end + 1;
  if (from <= end && !isBoundary(tables, from)) throw handlerThrew();
  return from + 1;
};

export const subscribeToAll = async ({ tables, bell }: Source, options: ReadOptions, out: Outgoing): Promise<void> => {
  const { matches, window, checkpointEvery } = options.filter;
  const reply = replyFor(tables, options);
  let from = startOfAll(tables, options);
  await out.send([confirmationReply(randomUUID())]);
  const waiting = waitFor(bell, undefined, out.signal);
  let caughtUp = false;
  let considered = 0;
  while (!out.signal.aborted) {
    const looked = window ?? Number.POSITIVE_INFINITY;
    const page = readAllPage(tables, {
      from,
      direction: 'forwards',
      limit: Number.POSITIVE_INFINITY,
      window: looked,
      matches,
    });
    await out.send(page.records.map(reply));
    considered += page.considered;
    if (page.last !== undefined) from = page.last + 1;
    if (checkpointEvery > 0 && considered >= checkpointEvery && page.last !== undefined) {
      considered = 0;
      await out.send([checkpointReply(page.last, page.last)]);
    }
    if (page.more) {
      await new Promise(setImmediate);
      continue;
    }
    if (!caughtUp) await out.send([caughtUpReply()]);
    caughtUp = true;
    await waiting.more();
  }
  waiting.stop();
};

const startOfStream = ({ from }: ReadOptions, head: Head | undefined): number => {
  if (from === 'start') return 0;
  return from === 'end' ? (head?.last ?? -1) + 1 : from + 1;
};

const sendTombstone = async (tables: Tables, options: ReadOptions, head: Head, out: Outgoing): Promise<void> => {
  const stored = tables.events.get(eventKey(head.number, Number.POSITIVE_INFINITY));
  const bytes = stored === undefined ? undefined : tables.log.get(stored);
  if (stored !== undefined && bytes !== undefined)
    await out.send([replyFor(tables, options)({ position: numberOf(stored), bytes })]);
};

export const subscribeToStream = async (
  source: Source,
  name: Buffer,
  options: ReadOptions,
  out: Outgoing,
): Promise<void> => {
  const { tables, bell } = source;
  let head = readHead(tables, name);
  const silent = isEnded(tables, name);
  if (silent && options.from !== 'end') throw streamDeleted(name);
  let from = startOfStream(options, head);
  const reply = replyFor(tables, options);
  await out.send([confirmationReply(randomUUID())]);
  // The stream has no number before its first event: any commit may be that one.
  const waiting = waitFor(bell, head?.number, out.signal);
  let caughtUp = false;
  while (!out.signal.aborted) {
    head = readHead(tables, name);
    if (head !== undefined && !isMissing(head)) {
      const lowest = firstVisible(name, head);
      const page = readStreamPage(tables, {
        name,
        head,
        from: Math.max(from, Math.min(lowest, head.last + 1)),
        direction: 'forwards',
        limit: 256,
      });
      await out.send(page.records.map(reply));
      from = page.next ?? Math.max(from, head.last + 1);
      if (page.next !== undefined) {
        await new Promise(setImmediate);
        continue;
      }
    }
    const nothingYet = (head === undefined || isMissing(head)) && options.from === 'start';
    if (!caughtUp && !nothingYet) {
      await out.send([caughtUpReply()]);
      caughtUp = true;
    }
    if (head?.tombstoned && !silent) {
      await sendTombstone(tables, options, head, out);
      throw streamDeleted(name);
    }
    await waiting.more();
  }
  waiting.stop();
};
