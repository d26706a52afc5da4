/** Handles each message that an owner receives. */
import type { ClientMessage } from '../../../../domain/editor/protocol/client-messages';
import { join } from './join';
import type { ClientSession, Owner } from './owner';
import { submit } from './submit';

export const receiveMessage = (owner: Owner, session: ClientSession, message: ClientMessage): void => {
  const refusal = owner.refuse(message, session);
  if (refusal !== undefined) return void session.send(refusal);
  if (message.type === 'join') join(owner, session, message);
  else if (message.type === 'operations') submit(owner, session, message);
  else if (message.type === 'ping') session.send({ type: 'pong' });
  else if (message.type === 'presence') {
    const { cursor, selectedNodeIds = [] } = message;
    const { connectionId, userId } = session;
    const member = { documentId: owner.documentId, userId, connectionId, selectedNodeIds, expiresAt: 4e12 };
    for (const one of owner.sessions)
      one.send({ type: 'presence', members: [cursor === undefined ? member : { ...member, cursor }] });
  }
};
