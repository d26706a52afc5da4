/** Reads of a server, as events of a log. */
import { Empty } from '@eventstore/db-client/generated/shared_pb';
import { ReadReq, type ReadResp } from '@eventstore/db-client/generated/streams_pb';
import { identifierOf } from './append-messages';
import type { LoggedEvent } from './line';
import { loggedEventOf } from './recorded';
import type { Server } from './server';

const { AllOptions, ControlOption, ReadDirection, StreamOptions, UUIDOption } = ReadReq.Options;

interface Shape {
  readonly backwards: boolean;
  readonly count: number;
}

/** Without what is read: links as they are, ids as text. */
export const readOptions = ({ backwards, count }: Shape): ReadReq.Options => {
  const options = new ReadReq.Options();
  options.setReadDirection(backwards ? ReadDirection.BACKWARDS : ReadDirection.FORWARDS);
  options.setResolveLinks(false);
  options.setCount(String(count));
  options.setNoFilter(new Empty());
  const ids = new UUIDOption();
  ids.setString(new Empty());
  options.setUuidOption(ids);
  const control = new ControlOption();
  control.setCompatibility(1);
  options.setControlOption(control);
  return options;
};

/** The call is over when its events are no longer taken. */
export async function* readEvents(server: Server, options: ReadReq.Options): AsyncGenerator<LoggedEvent, void> {
  const request = new ReadReq();
  request.setOptions(options);
  const call = (await server.streams()).read(request, ...server.unlimited());
  try {
    for await (const reply of call as AsyncIterable<ReadResp>) {
      const recorded = reply.getEvent()?.getEvent();
      if (recorded !== undefined) yield loggedEventOf(recorded);
    }
  } finally {
    call.cancel();
  }
}

export type Edge = 'oldest' | 'newest';

const first = async (events: AsyncGenerator<LoggedEvent, void>): Promise<LoggedEvent | undefined> => {
  for await (const event of events) return event;
  return undefined;
};

/** Of what is to be seen of a stream; undefined when that is nothing. */
export const edgeOf = (server: Server, stream: Buffer, edge: Edge): Promise<LoggedEvent | undefined> => {
  const options = readOptions({ backwards: edge === 'newest', count: 1 });
  const place = new StreamOptions();
  place.setStreamIdentifier(identifierOf(stream));
  if (edge === 'newest') place.setEnd(new Empty());
  else place.setStart(new Empty());
  options.setStream(place);
  return first(readEvents(server, options));
};

/** Of the log. */
export const newestEvent = (server: Server): Promise<LoggedEvent | undefined> => {
  const options = readOptions({ backwards: true, count: 1 });
  const place = new AllOptions();
  place.setEnd(new Empty());
  options.setAll(place);
  return first(readEvents(server, options));
};
