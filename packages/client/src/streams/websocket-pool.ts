/** A client's streams over WebSockets; opens another socket when the others are full. */

import { issueStreamTicket } from '../generated/operations';
import type { StreamTicket } from '../generated/types';
import { performCall } from '../http/call';
import type { Session } from '../session';
import { createMessageBuffer } from './message-buffer';
import { openSharedWebSocket, type SharedWebSocket } from './shared-websocket';
import { itemShape, type StreamRequest } from './sse-connection';
import type { Connect, ConnectionEnd, ConnectRequest, StreamMessage } from './stream-message';

export type WebSocketPool = (request: StreamRequest) => Connect;

/** The server's limit. */
const maxChannelsPerSocket = 32;
const bufferLimits = { messages: 1_000, size: 8_388_608 };

/** Issuing a ticket has no lasting effect, so it may be retried. */
const createTicketSource = (session: Session) => async (): Promise<string> => {
  const call = { row: issueStreamTicket.row, input: {}, headers: {}, options: {}, repeatable: true };
  return ((await performCall(session, call)).body as StreamTicket).ticket;
};

export const openWebSocketPool = (session: Session): WebSocketPool => {
  const open = new Set<SharedWebSocket>();
  const ticket = createTicketSource(session);
  const openAnother = (silenceMilliseconds: number): SharedWebSocket => {
    const shared = openSharedWebSocket({ session, silenceMilliseconds, ticket, over: () => open.delete(shared) });
    open.add(shared);
    return shared;
  };
  async function* connection(
    request: StreamRequest,
    { after, signal }: ConnectRequest,
  ): AsyncGenerator<StreamMessage, ConnectionEnd, undefined> {
    const { row, filter, silenceMilliseconds } = request;
    signal.throwIfAborted();
    const buffer = createMessageBuffer(bufferLimits);
    const shared = [...open].find((one) => one.count() < maxChannelsPerSocket) ?? openAnother(silenceMilliseconds);
    const leave = shared.add({ stream: row.stream ?? '', filter, after, shape: itemShape(row), buffer });
    try {
      for (;;) {
        const item = await buffer.next(signal);
        if (item.kind === 'end') return item.end;
        yield item.message;
      }
    } finally {
      leave();
    }
  }
  return (request) => (connecting) => connection(request, connecting);
};
