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

/** The newest event of a stream, or of all; undefined when there is none to be seen. */
export const newestEvent = async (server: Server, stream?: Buffer): Promise<LoggedEvent | undefined> => {
  const options = readOptions({ backwards: true, count: 1 });
  const place = stream === undefined ? new AllOptions() : new StreamOptions();
  place.setEnd(new Empty());
  if (place instanceof StreamOptions) {
    place.setStreamIdentifier(identifierOf(stream as Buffer));
    options.setStream(place);
  } else options.setAll(place);
  for await (const event of readEvents(server, options)) return event;
  return undefined;
};
