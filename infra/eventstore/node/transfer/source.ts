/** The whole log of a server, in its order, as fast as it is taken. */
import { Empty } from '@eventstore/db-client/generated/shared_pb';
import { ReadReq, type ReadResp } from '@eventstore/db-client/generated/streams_pb';
import type { ClientReadableStream } from '@grpc/grpc-js';
import type { LoggedEvent } from './line';
import { loggedEventOf } from './recorded';
import type { Server } from './server';

export interface Wanted {
  /** A position, that of the first event; undefined: from the beginning. */
  readonly from: number | undefined;
  /** Streams of the system as well. */
  readonly system: boolean;
}

const { AllOptions, ControlOption, FilterOptions, Position, ReadDirection, UUIDOption } = ReadReq.Options;
const everything = Number.MAX_SAFE_INTEGER;
const searchWindow = 2_048;
/** Whatever does not begin with `$`, and the metadata of such streams. */
const streamsOfUsers = '^(?:[^$]|\\$\\$[^$])';

const place = (from: number): ReadReq.Options.Position => {
  const position = new Position();
  position.setCommitPosition(String(from));
  position.setPreparePosition(String(from));
  return position;
};

const usersOnly = (): ReadReq.Options.FilterOptions => {
  const expression = new FilterOptions.Expression();
  expression.setRegex(streamsOfUsers);
  const filter = new FilterOptions();
  filter.setStreamIdentifier(expression);
  filter.setMax(searchWindow);
  filter.setCheckpointintervalmultiplier(1);
  return filter;
};

const readAll = (all: ReadReq.Options.AllOptions, backwards: boolean, count: number): ReadReq.Options => {
  const options = new ReadReq.Options();
  options.setAll(all);
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

const requestOf = (options: ReadReq.Options): ReadReq => {
  const request = new ReadReq();
  request.setOptions(options);
  return request;
};

const open = async (server: Server, options: ReadReq.Options): Promise<ClientReadableStream<ReadResp>> =>
  (await server.streams()).read(requestOf(options), ...server.unlimited());

async function* eventsOf(call: ClientReadableStream<ReadResp>): AsyncGenerator<LoggedEvent, void> {
  try {
    for await (const reply of call as AsyncIterable<ReadResp>) {
      const recorded = reply.getEvent()?.getEvent();
      if (recorded !== undefined) yield loggedEventOf(recorded);
    }
  } finally {
    call.cancel();
  }
}

/** The position of the newest event; undefined when there is none. */
const newest = async (server: Server): Promise<number | undefined> => {
  const all = new AllOptions();
  all.setEnd(new Empty());
  for await (const { position } of eventsOf(await open(server, readAll(all, true, 1)))) return position;
  return undefined;
};

/** Up to what was the newest event when it was asked for: a log that is written to has no end. */
export async function* readServer(server: Server, { from, system }: Wanted): AsyncGenerator<LoggedEvent, void> {
  const end = await newest(server);
  if (end === undefined) return;
  const all = new AllOptions();
  if (from === undefined) all.setStart(new Empty());
  else all.setPosition(place(from));
  const options = readAll(all, false, everything);
  if (!system) options.setFilter(usersOnly());
  for await (const event of eventsOf(await open(server, options))) {
    if (event.position > end) return;
    yield event;
  }
}
