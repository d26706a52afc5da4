/** As whom one edits here, and whether one may: what is done when either becomes another. */
import type { ClientId } from '../../../domain/editor/ids';
import type { Held } from './clients';
import { keptOf } from './edit/author';
import { recover } from './ledger';
import type { Room } from './room';
import { pendingAgain } from './scene/pending';
import { pendingIn, resume } from './scene/replica';
import { openCourier } from './sync/courier';

/** Edits that this person may not make any more are kept aside. What is under way may have become part of the document yet. */
export const demote = ({ parts: { ledger }, session }: Room): void => {
  const underWay = new Set(session.sender?.batch ?? []);
  const items = pendingIn(ledger.replica).filter(({ settledAt }) => settledAt === undefined);
  recover(
    ledger,
    items.map((item) => ({ item, reason: 'not-allowed', isUncertain: underWay.has(item) })),
  );
  for (const { operation } of items)
    ledger.emitter.emit({
      kind: 'notice',
      notice: { opId: operation.opId, operation, status: 'rejected', reason: 'not-allowed' },
    });
};

export const named = ({ parts, neighbours, presence }: Room, clientId: ClientId, lastClientSeq: number): void => {
  const { author, keeper } = parts;
  if (author.clientId !== clientId) Object.assign(author, { clientId, lastClientSeq: 0, lastNode: 0 });
  author.lastClientSeq = Math.max(author.lastClientSeq, lastClientSeq);
  keeper.keep({ client: keptOf(author, clientId) });
  neighbours?.claim(clientId);
  presence.joined();
};

export const unnamed = ({ parts, neighbours }: Room, clientId: ClientId): void => {
  const { author, keeper, ledger } = parts;
  const items = pendingIn(ledger.replica).filter((item) => item.clientId === clientId);
  recover(
    ledger,
    items.map((item) => ({ item, reason: 'id-foreign', isUncertain: item.isSent })),
  );
  keeper.keep({ forgotten: [clientId] });
  neighbours?.giveBack(clientId);
  author.clientId = undefined;
};

export const inherited = (room: Room, { client: { clientId, lastClientSeq }, pending }: Held): void => {
  const { options, parts, couriers } = room;
  const { ledger, keeper } = parts;
  const known = new Set(pendingIn(ledger.replica).map(({ operation }) => operation.opId));
  const items = pending.filter(({ operation }) => !known.has(operation.opId));
  resume(
    ledger.replica,
    items.map(({ operation }) => pendingAgain(clientId, operation)),
  );
  const done = (): void => {
    couriers.delete(clientId);
    keeper.keep({ forgotten: [clientId] }, () => room.neighbours?.giveBack(clientId));
  };
  const { platform, transport, documentId } = options;
  const fault = (error: unknown): void => parts.emitter.emit({ kind: 'fault', fault: 'protocol', error });
  couriers.set(
    clientId,
    openCourier({ ledger, platform, transport, documentId, clientId, lastClientSeq, done, fault }),
  );
  couriers.get(clientId)?.look();
  room.changed();
};
