/** Handles a client's join: sends what it misses. */
import type { ClientId } from '../../../../domain/editor/ids';
import type { ClientMessage } from '../../../../domain/editor/protocol/client-messages';
import { type ClientSession, framesAfter, type Owner, roleOf } from './owner';
import { snapshotOf } from './snapshot';

const named = (name: 'lastOpId' | 'opIdThere', { log, forgets }: Owner, version: number) => {
  const opId = forgets ? undefined : log.find((one) => one.version === version)?.operation.opId;
  return opId === undefined ? {} : { [name]: opId };
};

export const join = (owner: Owner, session: ClientSession, message: ClientMessage<'join'>): void => {
  const known = message.clientId === undefined ? undefined : owner.principals.get(message.clientId);
  if (known !== undefined && known !== session.userId)
    return void session.send({
      type: 'error',
      code: 'client-id-taken',
      detail: 'Another client already uses this id.',
    });
  owner.issued += 1;
  const clientId = message.clientId ?? (`c${String(owner.issued).padStart(9, '0')}` as ClientId);
  owner.principals.set(clientId, session.userId);
  const lastClientSeq = owner.clients.known.get(clientId)?.lastClientSeq ?? 0;
  Object.assign(session, { clientId, expected: Math.max(lastClientSeq, message.settledClientSeq ?? 0) + 1 });
  owner.sessions.add(session);
  session.send({
    type: 'joined',
    documentId: owner.documentId,
    clientId,
    connectionId: session.connectionId,
    role: roleOf(owner, session),
    title: 'A plan',
    committedVersion: owner.version,
    schemaVersion: 1,
    lastClientSeq: session.expected - 1,
    committedClientSeq: lastClientSeq,
    ...(owner.tokenLasts === undefined ? {} : { expiresAt: owner.now() + owner.tokenLasts }),
    ...named('lastOpId', owner, owner.version),
    ...named('opIdThere', owner, message.lastCommittedVersion),
  });
  const { lastCommittedVersion: after } = message;
  if (after >= owner.oldestTail) for (const frame of framesAfter(owner, after)) session.send(frame);
  else {
    if (after > 0) session.send({ type: 'rebaseRequired', snapshotVersion: owner.version });
    session.send(snapshotOf(owner));
  }
};
