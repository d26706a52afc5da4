/** All streams of a client that come over WebSockets: as many as fit on one, then another. */
import { perform } from '../call';
import { issueStreamTicket } from '../generated/operations';
import type { StreamTicket } from '../generated/types';
import type { Session } from '../session';
import { type Followed, itemShape } from './by-sse';
import { openMailbox } from './mailbox';
import type { Connect, Connecting, End, Message } from './message';
import { openShared, type SharedSocket } from './shared-socket';

export type Sockets = (followed: Followed) => Connect;

/** What the server lets one socket carry. */
const mostChannels = 32;
const room = { messages: 1_000, size: 8_388_608 };

/** What a ticket is asked for changes nothing, so it may be asked again. */
const ticketFor = (session: Session) => async (): Promise<string> => {
  const call = { row: issueStreamTicket.row, input: {}, headers: {}, options: {}, repeatable: true };
  return ((await perform(session, call)).body as StreamTicket).ticket;
};

export const openSockets = (session: Session): Sockets => {
  const open = new Set<SharedSocket>();
  const ticket = ticketFor(session);
  const another = (silenceMilliseconds: number): SharedSocket => {
    const shared = openShared({ session, silenceMilliseconds, ticket, over: () => open.delete(shared) });
    open.add(shared);
    return shared;
  };
  async function* connection(
    followed: Followed,
    { after, signal }: Connecting,
  ): AsyncGenerator<Message, End, undefined> {
    const { row, filter, silenceMilliseconds } = followed;
    signal.throwIfAborted();
    const mailbox = openMailbox(room);
    const shared = [...open].find((one) => one.count() < mostChannels) ?? another(silenceMilliseconds);
    const leave = shared.join({ stream: row.stream ?? '', filter, after, shape: itemShape(row), mailbox });
    try {
      for (;;) {
        const item = await mailbox.next(signal);
        if (item.kind === 'end') return item.end;
        yield item.message;
      }
    } finally {
      leave();
    }
  }
  return (followed) => (connecting) => connection(followed, connecting);
};
