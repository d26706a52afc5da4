/** The whole log of a server, in its order, as fast as it is taken. */
import { Empty } from '@eventstore/db-client/generated/shared_pb';
import { ReadReq } from '@eventstore/db-client/generated/streams_pb';
import type { LoggedEvent } from './line';
import { newestEvent, readEvents, readOptions } from './read-call';
import type { Server } from './server';

export interface Wanted {
  /** A position, that of the first event; undefined: from the beginning. */
  readonly from: number | undefined;
  /** Streams of the system as well. */
  readonly system: boolean;
}

const { AllOptions, FilterOptions, Position } = ReadReq.Options;
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

/** Up to what was the newest event when it was asked for: a log that is written to has no end. */
export async function* readServer(server: Server, { from, system }: Wanted): AsyncGenerator<LoggedEvent, void> {
  const end = await newestEvent(server);
  if (end === undefined) return;
  const all = new AllOptions();
  if (from === undefined) all.setStart(new Empty());
  else all.setPosition(place(from));
  const options = readOptions({ backwards: false, count: everything });
  options.setAll(all);
  if (!system) options.setFilter(usersOnly());
  for await (const event of readEvents(server, options)) {
    if (event.position > end.position) return;
    yield event;
  }
}
