/** Handles each message that an owner receives. */
import type { ClientMessage } from '../../../../domain/editor/protocol/client-messages';
import { join } from './join';
import type { Owner, Seat } from './owner';
import { submit } from './submit';

export const receiveMessage = (owner: Owner, seat: Seat, message: ClientMessage): void => {
  const refusal = owner.refuse(message, seat);
  if (refusal !== undefined) return void seat.tell(refusal);
  if (message.type === 'join') join(owner, seat, message);
  else if (message.type === 'operations') submit(owner, seat, message);
  else if (message.type === 'ping') seat.tell({ type: 'pong' });
  else if (message.type === 'presence') {
    const { cursor, selectedNodeIds = [] } = message;
    const { connectionId, userId } = seat;
    const member = { documentId: owner.documentId, userId, connectionId, selectedNodeIds, expiresAt: 4e12 };
    for (const one of owner.seats)
      one.tell({ type: 'presence', members: [cursor === undefined ? member : { ...member, cursor }] });
  }
};
