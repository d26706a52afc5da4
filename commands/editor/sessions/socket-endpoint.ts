/**
 * GET /v1/documents/:documentId/socket: the WebSocket of an open document. It stays open while the client shows fresh
 * tokens.
 */
import { type Either, isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { DocumentId } from '../../../domain/editor/ids';
import { type ClientMessage, clientMessages } from '../../../domain/editor/protocol/client-messages';
import { decode, type InputFault, integer, record } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import { readTicket } from '../../../infra/server/http/identity/socket-ticket';
import { problem } from '../../../infra/server/http/problem';
import { type StreamEnd, streamEnds } from '../../../infra/server/http/streaming/stream-end';
import { openSession } from '../../../infra/server/http/streaming/stream-session';
import type { Admission, CallerSocketRoute, SocketCaller } from '../../../infra/server/ws/endpoint';
import {
  type ConnectionLimits,
  defaultConnectionLimits,
  type Message,
  type Socket,
} from '../../../infra/server/ws/socket';
import { type ClientSession, leaveRoom, type MessageOf, sendError } from './client-session';
import { createConnectionCounter, tooManyConnections } from './connection-limit';
import type { SessionDeps } from './dependencies';
import { handleJoin } from './join-document';
import { handleOperations, throttledPresenceHandler } from './message-handlers';
import { encodeMessage } from './outbound/message-encoding';
import type { Rooms } from './rooms';

/** Batches and presence come faster than other messages, and a message to the client may be as large as an append. */
export const editorConnectionLimits: ConnectionLimits = {
  ...defaultConnectionLimits,
  messagesAtOnce: 400,
  messagesPerSecond: 150,
  mostUnread: 4_194_304,
};

/** Larger than a valid batch, so that one that is too large gets an answer; above it the message is not read. */
export const maxEditorMessageBytes = 2_097_152;

const idleMilliseconds = 60_000;

const MessageHeader = record('Typed', { type: t.keyof(clientMessages) }, { clientSeq: integer(1) });

const decodeMessage = (content: unknown): Either<readonly InputFault[], ClientMessage> => {
  const typed = decode(MessageHeader, content);
  if (isLeft(typed)) return typed;
  return decode<ClientMessage>(clientMessages[typed.right.type] as t.Decoder<unknown, ClientMessage>, content);
};

const SequencedMessage = record('Numbered', { clientSeq: integer(1) });

const rejectMalformed = (session: ClientSession, content: unknown, fault: InputFault | undefined): void => {
  const numbered = decode(SequencedMessage, content);
  const details = isLeft(numbered) ? {} : { clientSeq: numbered.right.clientSeq };
  const detail = `The message does not match its type: expected ${fault?.expected ?? 'another one'}.`;
  sendError(session, { code: 'malformed', detail }, { pointer: fault?.pointer ?? '', ...details });
};

/** The principal of a socket cannot change. */
const authenticate = ({ deps, token, socket }: ClientSession, { ticket }: MessageOf<'authenticate'>): void => {
  const { callerKeys, clock } = deps;
  const read = readTicket(ticket, callerKeys, Date.parse(clock.now()));
  if (isLeft(read) || !token.renew(read.right.identity)) socket.end(streamEnds.expired);
};

const createMessageHandler = (session: ClientSession): Message => {
  const { deps, socket } = session;
  const handlePresence = throttledPresenceHandler(session);
  const guard = (work: Promise<void> | void): void => {
    work?.catch((error: unknown) => {
      deps.log.error({ error }, 'defect in a session of a document');
      socket.end(streamEnds.unavailable);
    });
  };
  return (content, bytes) => {
    const message = decodeMessage(content);
    if (isLeft(message)) return rejectMalformed(session, content, message.left[0]);
    switch (message.right.type) {
      case 'join':
        return guard(handleJoin(session, message.right));
      case 'operations':
        return guard(handleOperations(session, message.right, bytes));
      case 'presence':
        return handlePresence(message.right);
      case 'authenticate':
        return authenticate(session, message.right);
      case 'ping':
        return void socket.send(encodeMessage({ type: 'pong' }));
    }
  };
};

const closeWhenIdle = (session: ClientSession): void => {
  let idle = false;
  const timer = setInterval(() => {
    if (session.joined !== undefined) idle = false;
    else if (idle) session.socket.end(streamEnds.idle);
    else idle = true;
  }, idleMilliseconds / 2);
  session.socket.closed.addEventListener('abort', () => clearInterval(timer));
};

interface AcceptedSocket {
  readonly caller: SocketCaller;
  readonly socket: Socket;
}

const startSession = (deps: SessionDeps, rooms: Rooms, { caller, socket }: AcceptedSocket): Message => {
  const { identity, requestId, parameters } = caller;
  const token = openSession(deps, identity);
  const [tenant, documentId] = [identity.tenantId as TenantId, parameters.documentId as DocumentId];
  const session: ClientSession = {
    deps,
    rooms,
    socket,
    token,
    tenant,
    documentId,
    requestId,
    joined: undefined,
    joins: 0,
  };
  socket.closed.addEventListener('abort', () => {
    token.close();
    leaveRoom(session);
  });
  const onTokenEnd = (): void => socket.end(token.ended.reason as StreamEnd);
  if (token.ended.aborted) onTokenEnd();
  else token.ended.addEventListener('abort', onTokenEnd, { once: true });
  closeWhenIdle(session);
  return createMessageHandler(session);
};

export const editorSocket = (deps: SessionDeps, rooms: Rooms): CallerSocketRoute => {
  const { connections = createConnectionCounter() } = deps;
  const admit = (caller: SocketCaller): Admission => {
    // The gateway signed it, but it becomes part of a stream name.
    if (!TenantId.is(caller.identity.tenantId)) return problem('forbidden', 'The tenant of the token is unknown.');
    if (!DocumentId.is(caller.parameters.documentId)) return problem('not-found', 'No such document is known here.');
    const { tenantId, principalId } = caller.identity;
    const name = `${tenantId} ${principalId}`;
    if (connections.of(name) >= connections.most) return tooManyConnections(deps.metrics, connections);
    return (socket) => {
      socket.closed.addEventListener('abort', connections.opened(name), { once: true });
      return startSession(deps, rooms, { caller, socket });
    };
  };
  return { path: '/v1/documents/:documentId/socket', protocol: 'septet.editor.v1', scopes: ['documents:read'], admit };
};
