/** The newest event of a stream, as what was written there last. */
import { eventKey, numberOf } from '../storage/database';
import { firstVisible, isEnded, isMissing } from '../storage/heads';
import { dataOf, isIntact } from '../storage/record';
import { DamagedRecord } from '../storage/records';
import type { Storage } from '../storage/storage';

/** Undefined when there is none; damage is thrown. */
export const newestIn = ({ tables, heads }: Storage, stream: Buffer): unknown => {
  const head = heads.get(stream);
  if (head === undefined || isMissing(head) || isEnded(heads, stream)) return undefined;
  if (head.last < firstVisible(stream, head)) return undefined;
  const position = tables.events.get(eventKey(head.number, head.last));
  const record = position === undefined ? undefined : tables.log.get(position);
  if (position === undefined || record === undefined) return undefined;
  if (!isIntact(record)) throw new DamagedRecord(numberOf(position));
  return JSON.parse(dataOf(record).toString('utf8'));
};
