/** GET /v1/documents/:documentId/socket: a document while somebody has it open, as long as fresh tokens are shown. */
import { type Either, isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { DocumentId } from '../../../domain/editor/ids';
import { type FromClient, fromClient } from '../../../domain/editor/messages/from-client';
import { decode, type InputFault, integer, record } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import { ends, type StreamEnd } from '../../../infra/http/ends';
import { problem } from '../../../infra/http/problem';
import { openSession } from '../../../infra/http/stream-session';
import { readTicket } from '../../../infra/http/ticket';
import type { Admission, SocketCaller, SocketRoute } from '../../../infra/ws/door';
import { type Message, type Pace, type Socket, usualPace } from '../../../infra/ws/socket';
import { take } from './batches';
import type { SessionDeps } from './deps';
import { glimpsing } from './glimpses';
import { join } from './joining';
import { openRooms, type Rooms } from './rooms';
import { refuse, type Session, stand, type Told } from './session';
import { openSockets, tooManySockets } from './sockets';
import { said } from './words';

/** Batches and whereabouts come faster than questions, and answers may be as large as what a document's owner appends at once. */
export const editorPace: Pace = {
  ...usualPace,
  messagesAtOnce: 400,
  messagesPerSecond: 150,
  mostUnread: 4_194_304,
};

/** Batches that are too large are to be told so; what is larger still is not read to its end. */
export const largestEditorMessage = 2_097_152;

const idleMilliseconds = 60_000;

const Typed = record('Typed', { type: t.keyof(fromClient) }, { clientSeq: integer(1) });

const messageIn = (content: unknown): Either<readonly InputFault[], FromClient> => {
  const typed = decode(Typed, content);
  if (isLeft(typed)) return typed;
  return decode<FromClient>(fromClient[typed.right.type] as t.Decoder<unknown, FromClient>, content);
};

const Numbered = record('Numbered', { clientSeq: integer(1) });

const malformed = (session: Session, content: unknown, [fault]: readonly InputFault[]): void => {
  const numbered = decode(Numbered, content);
  const about = isLeft(numbered) ? {} : { clientSeq: numbered.right.clientSeq };
  const detail = `The message is not of the form that its type has: expected ${fault?.expected ?? 'another one'}.`;
  refuse(session, { code: 'malformed', detail }, { pointer: fault?.pointer ?? '', ...about });
};

/** Only of the same principal: a socket does not change hands. */
const authenticate = ({ deps, token, socket }: Session, { ticket }: Told<'authenticate'>): void => {
  const { callerKeys, clock } = deps;
  const read = readTicket(ticket, callerKeys, Date.parse(clock.now()));
  if (isLeft(read) || !token.renew(read.right.identity)) socket.end(ends.expired);
};

const listening = (session: Session): Message => {
  const { deps, socket } = session;
  const glimpse = glimpsing(session);
  const surely = (work: Promise<void> | void): void => {
    work?.catch((error: unknown) => {
      deps.log.error({ error }, 'defect in a session of a document');
      socket.end(ends.unavailable);
    });
  };
  return (content, bytes) => {
    const message = messageIn(content);
    if (isLeft(message)) return malformed(session, content, message.left);
    switch (message.right.type) {
      case 'join':
        return surely(join(session, message.right));
      case 'operations':
        return surely(take(session, message.right, bytes));
      case 'presence':
        return glimpse(message.right);
      case 'authenticate':
        return authenticate(session, message.right);
      case 'ping':
        return void socket.send(said({ type: 'pong' }));
    }
  };
};

const watchIdle = (session: Session): void => {
  let idle = false;
  const timer = setInterval(() => {
    if (session.seated !== undefined) idle = false;
    else if (idle) session.socket.end(ends.idle);
    else idle = true;
  }, idleMilliseconds / 2);
  session.socket.closed.addEventListener('abort', () => clearInterval(timer));
};

const begin = (deps: SessionDeps, rooms: Rooms, [caller, socket]: readonly [SocketCaller, Socket]): Message => {
  const { identity, requestId, parameters } = caller;
  const token = openSession(deps, identity);
  const [tenant, documentId] = [identity.tenantId as TenantId, parameters.documentId as DocumentId];
  const session: Session = {
    ...{ deps, rooms, socket, token, tenant, documentId, requestId },
    ...{ seated: undefined, joins: 0 },
  };
  socket.closed.addEventListener('abort', () => {
    token.close();
    stand(session);
  });
  const over = (): void => socket.end(token.ended.reason as StreamEnd);
  if (token.ended.aborted) over();
  else token.ended.addEventListener('abort', over, { once: true });
  watchIdle(session);
  return listening(session);
};

export const editorSocket = (deps: SessionDeps): SocketRoute => {
  const rooms = openRooms(deps);
  const { sockets = openSockets() } = deps;
  const admit = (caller: SocketCaller): Admission => {
    // Signed by the gateway, but about to become part of a stream's name.
    if (!TenantId.is(caller.identity.tenantId)) return problem('forbidden', 'The token is of no known tenant.');
    if (!DocumentId.is(caller.parameters.documentId)) return problem('not-found', 'No such document is known here.');
    const { tenantId, principalId } = caller.identity;
    const name = `${tenantId} ${principalId}`;
    if (sockets.of(name) >= sockets.most) return tooManySockets(deps.figures, sockets);
    return (socket) => {
      socket.closed.addEventListener('abort', sockets.opened(name), { once: true });
      return begin(deps, rooms, [caller, socket]);
    };
  };
  return { path: '/v1/documents/:documentId/socket', protocol: 'septet.editor.v1', scopes: ['documents:read'], admit };
};
