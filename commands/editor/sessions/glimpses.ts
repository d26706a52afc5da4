/** Where people are in a document, as often as they may say so. */
import { limits } from '../../../domain/editor/limits';
import { bucket } from '../../../infra/ws/bucket';
import { principalOf, refuse, type Session, type Told } from './session';
import { said } from './words';

export const glimpsing = (session: Session): ((message: Told<'presence'>) => void) => {
  const { deps, socket } = session;
  const { most, perSecond } = limits.rates.presence;
  const allowance = bucket(most, perSecond);
  /** How often it is said that there are too many. */
  const told = bucket(1, 1);
  const limit = (): void => {
    deps.figures.limited('presence', 'client');
    if (told.take()) socket.send(said({ type: 'rateLimited', retryAfterMs: Math.ceil(1_000 / perSecond) }));
  };
  return (message) => {
    const { seated } = session;
    if (seated === undefined) return refuse(session, { code: 'not-joined', detail: 'Join the document first.' });
    if (!allowance.take()) return limit();
    const { room, seat } = seated;
    const who = { documentId: room.document.documentId, userId: principalOf(session), connectionId: seat.connectionId };
    room.members.hear(who, message);
  };
};
