/** Sends the pending edits of one client over one connection: one batch at a time, in order, again until it is known what became of it. */
import type { ClientId, NodeId } from '../../../../domain/editor/ids';
import type { FromServer } from '../../../../domain/editor/messages/from-server';
import { type Judged, judge, type Ledger, pendingOfClient, sweep } from '../ledger';
import type { Platform } from '../ports/platform';
import type { Pending } from '../scene/pending';
import { pendingIn } from '../scene/replica';
import { type BatchRoom, fullRoom, larger, nextBatch } from './batch';

export interface Sender {
  readonly ledger: Ledger;
  readonly platform: Platform;
  readonly documentId: string;
  readonly clientId: ClientId;
  readonly send: (text: string) => void;
  /** With another join the numbers go on where they should. */
  readonly rejoin: () => void;
  /** Between a join and the end of its line. */
  isJoined: boolean;
  mayEdit: boolean;
  /** Named as settled in the last join. */
  toldSettled: number;
  /** The next number that the owner takes. */
  expected: number;
  batch: readonly Pending[] | undefined;
  room: BatchRoom;
  resume: (() => void) | undefined;
}

export const openSender = (
  given: Pick<Sender, 'ledger' | 'platform' | 'documentId' | 'clientId' | 'send' | 'rejoin'>,
): Sender => ({
  ...given,
  ...{ isJoined: false, mayEdit: false, toldSettled: 0, expected: 1 },
  ...{ batch: undefined, room: fullRoom, resume: undefined },
});

const unsettled = ({ ledger, clientId }: Sender): readonly Pending[] =>
  pendingOfClient(ledger, clientId).filter(({ settledAt }) => settledAt === undefined);

/** For a join: everything of the client up to here is settled. */
export const settledSeq = (sender: Sender, lastClientSeq: number): number => {
  // What is only said to be settled may be in an append that fails yet.
  const first = pendingOfClient(sender.ledger, sender.clientId).find(({ isAccepted }) => !isAccepted);
  sender.toldSettled = first === undefined ? lastClientSeq : first.operation.clientSeq - 1;
  return sender.toldSettled;
};

/** Nodes that other clients here create, and that the owner does not know yet: edits of tabs that are gone are shown before they are sent. */
const createdByOthers = ({ ledger, clientId }: Sender): readonly NodeId[] =>
  pendingIn(ledger.replica).flatMap((item) => {
    const isOurs = item.clientId === clientId || item.settledAt !== undefined;
    return isOurs || item.operation.type !== 'createNode' ? [] : item.operation.targetIds;
  });

/** What names one of those waits for it: it would be an edit of a node that there is not. */
const sendable = (sender: Sender): readonly Pending[] => {
  const items = unsettled(sender);
  const created = createdByOthers(sender);
  const first = items.findIndex(({ json }) => created.some((id) => json.includes(`"${id}"`)));
  return first < 0 ? items : items.slice(0, first);
};

/** Sends the next batch when nothing is under way and something waits. */
export const flush = (sender: Sender): void => {
  const { isJoined, mayEdit, batch, resume, room, documentId } = sender;
  if (!isJoined || !mayEdit || batch !== undefined || resume !== undefined) return;
  const items = nextBatch(sendable(sender), room);
  const [first, last] = [items[0]?.operation.clientSeq, items.at(-1)?.operation.clientSeq];
  if (first === undefined || last === undefined) return;
  if (first > sender.expected) {
    sender.rejoin();
    return;
  }
  for (const item of items) item.isSent = true;
  sender.batch = items;
  const head = JSON.stringify({ type: 'operations', documentId, clientSeq: last });
  sender.send(`${head.slice(0, -1)},"operations":[${items.map(({ json }) => json).join(',')}]}`);
};

export const pause = (sender: Sender, milliseconds: number): void => {
  sender.batch = undefined;
  sender.resume?.();
  sender.resume = sender.platform.later(milliseconds, () => {
    sender.resume = undefined;
    flush(sender);
  });
};

/** The line has ended: what was under way is not known, and goes again. */
export const away = (sender: Sender): void => {
  sender.resume?.();
  Object.assign(sender, { isJoined: false, batch: undefined, resume: undefined });
};

const hasCome = ({ operation }: Pending, came: FromServer<'joined'>['came']): boolean | undefined => {
  if (came === undefined) return undefined;
  if (came.clientSeqs.includes(operation.clientSeq)) return true;
  // It came after what its author had seen, and all of that is known.
  return operation.baseVersion >= came.since ? false : undefined;
};

/**
 * What the owner knows of this client is settled; it is in what is committed by then, or nowhere. An owner before may have said more.
 * While an append of it is under way nothing is: that may fail, and the document be somebody else's then. So it is sent again, and
 * answered when that is over.
 */
export const joined = (sender: Sender, message: FromServer<'joined'>): void => {
  const { lastClientSeq, committedVersion, settledVersion = committedVersion, came } = message;
  for (const item of pendingOfClient(sender.ledger, sender.clientId).filter(({ isAccepted }) => !isAccepted)) {
    const { clientSeq } = item.operation;
    const isSettled = settledVersion <= committedVersion && clientSeq <= lastClientSeq;
    Object.assign(item, {
      settledAt: isSettled ? settledVersion : undefined,
      came: isSettled ? hasCome(item, came) : undefined,
    });
  }
  sweep(sender.ledger);
  Object.assign(sender, { isJoined: true, expected: Math.max(lastClientSeq, sender.toldSettled) + 1 });
};

export const acknowledged = (sender: Sender, ack: FromServer<'ack'>): void => {
  const { ledger, batch } = sender;
  const isAnswer = batch?.at(-1)?.operation.clientSeq === ack.clientSeq;
  if (isAnswer) Object.assign(sender, { batch: undefined, room: larger(sender.room) });
  sender.expected = Math.max(sender.expected, ack.clientSeq + 1);
  const outcomes = new Map(ack.results?.map((outcome) => [outcome.opId, outcome]));
  const known = isAnswer ? batch : unsettled(sender);
  const named = known.filter(({ operation: { opId } }) => outcomes.has(opId) || ack.opIds.includes(opId));
  const judged: readonly Judged[] = named.map((item) => ({
    item,
    outcome: outcomes.get(item.operation.opId) ?? { status: 'applied' },
  }));
  judge(ledger, judged, ack.committedVersion);
  flush(sender);
};

export const limited = (sender: Sender, { retryAfterMs, clientSeq }: FromServer<'rateLimited'>): void => {
  const last = sender.batch?.at(-1)?.operation.clientSeq;
  // Where it is not said of what, presence may be meant: then the batch is answered besides, and once more does no harm.
  if (last !== undefined && (clientSeq ?? last) === last) pause(sender, Math.max(1, retryAfterMs));
};
