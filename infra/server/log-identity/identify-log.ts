/** Whether a log is the one that the installation's positions belong to. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type Fault, fault } from '../../../domain/kernel/rejection';
import type { EventStoreFault } from '../../ports/event-store';
import type { LogAnchors, LogIdentity, LogRecord } from '../../ports/log-identity';
import type { ViewFault } from '../../ports/views/view-store';

export type IdentifyFault = EventStoreFault | ViewFault | Fault<'another-log'>;

/** The hosts of a connection string, without account and options. */
export const logAddress = (url: string): string =>
  /^[a-z+]+:\/\/(?:[^@/?]*@)?([^/?]+)/i.exec(url)?.[1] ?? 'its address';

interface Foreign {
  readonly address: string;
  readonly known: string | undefined;
  readonly reason: string;
}

const anotherLog = ({ address, known, reason }: Foreign): Fault<'another-log'> =>
  fault(
    'another-log',
    `The event log at ${address} is not the one that this installation has followed${known === undefined ? '' : `, at ${known}`}: ${reason} ` +
      'Going on would lose what stands at positions that were passed in the other log. Point EVENTSTORE_URL at that log again, or move to ' +
      'this one with npm run move (see docs/operations.md, "Moving the log").',
  );

export interface Identification {
  readonly record: LogRecord;
  readonly anchors: LogAnchors;
  /** `logAddress` of the log. */
  readonly address: string;
}

/** Left when the event of the anchor is not in the log any more. */
const checkAnchor = async (
  { anchors, address }: Identification,
  { anchor, address: known }: LogIdentity,
): Promise<Either<IdentifyFault, void>> => {
  if (anchor === null) return right(undefined);
  const { position, eventId } = anchor;
  const found = await anchors.eventAt(position);
  if (isLeft(found)) return found;
  if (found.right === eventId) return right(undefined);
  const what = found.right === undefined ? 'no event' : `the event ${found.right}`;
  const reason = `it has ${what} at position ${position}, where that one has the event ${eventId}.`;
  return left(anotherLog({ address, known, reason }));
};

/** Left when views or processes have come further than the log reaches: it was emptied, or an older copy was put in its place. */
const checkLength = async (
  { record, anchors, address }: Identification,
  known: LogIdentity | undefined,
): Promise<Either<IdentifyFault, void>> => {
  const furthest = await record.furthestCheckpoint();
  if (isLeft(furthest)) return furthest;
  if (furthest.right === null) return right(undefined);
  const head = await anchors.head();
  if (isLeft(head)) return head;
  if (head.right !== null && furthest.right <= head.right) return right(undefined);
  const end = head.right === null ? 'it is empty' : `it ends at position ${head.right}`;
  const reason = `${end}, and views and processes have come to ${furthest.right}. It was emptied, or is an older copy.`;
  return left(anotherLog({ address, known: known?.address, reason }));
};

/**
 * The identity of the log, which is recorded where none was. `another-log`: its positions are not those of the installation's
 * checkpoints; the detail names both logs and the command that moves.
 */
export const identifyLog = async (request: Identification): Promise<Either<IdentifyFault, LogIdentity>> => {
  const { record, anchors, address } = request;
  const known = await record.identity();
  if (isLeft(known)) return known;
  if (known.right !== undefined) {
    const anchored = await checkAnchor(request, known.right);
    if (isLeft(anchored)) return anchored;
  }
  const reaches = await checkLength(request, known.right);
  if (isLeft(reaches)) return reaches;
  const newest = await anchors.newest();
  if (isLeft(newest)) return newest;
  if (known.right === undefined) return record.establish(address, newest.right);
  if (newest.right !== null) {
    const advanced = await record.advance(known.right.id, address, newest.right);
    if (isLeft(advanced)) return advanced;
  }
  return right({ ...known.right, address });
};
