/** A socket that records messages, and reports backpressure while it is not read. */
import type { ServerMessage } from '../../../domain/editor/protocol/server-messages';
import type { StreamEnd } from '../../../infra/server/http/streaming/stream-end';
import type { Socket } from '../../../infra/server/ws/socket';
import { deferred } from '../../support/waiting/deferred';

export const openSocketDouble = () => {
  const sent: ServerMessage[] = [];
  const ends: StreamEnd[] = [];
  const closed = new AbortController();
  let reading = deferred();
  let isFull = false;
  const socket: Socket = {
    send: (text) => {
      sent.push(JSON.parse(text.toString()) as ServerMessage);
      return !isFull;
    },
    ready: () => (isFull ? reading.promise : Promise.resolve()),
    end: (why) => {
      ends.push(why);
      closed.abort();
    },
    closed: closed.signal,
  };
  return {
    socket,
    sent,
    ends,
    pause: () => {
      isFull = true;
      reading = deferred();
    },
    read: () => {
      isFull = false;
      reading.resolve();
    },
    types: () => sent.map(({ type }) => type),
  };
};
