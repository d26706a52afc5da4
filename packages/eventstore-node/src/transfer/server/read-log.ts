/** Reads the whole log of a server in order, as fast as the caller takes it. */
import { Empty } from '@eventstore/db-client/generated/shared_pb';
import { ReadReq } from '@eventstore/db-client/generated/streams_pb';
import type { LoggedEvent } from '../format/event-line';
import type { Server } from './connection';
import { encodeReadOptions, readEvents, readNewestEvent } from './read-events';

export interface ReadServerOptions {
  /** The position of the first event; undefined: from the beginning. */
  readonly from: number | undefined;
  /** Includes system streams. */
  readonly system: boolean;
}

const { AllOptions, FilterOptions, Position } = ReadReq.Options;
const maxEvents = Number.MAX_SAFE_INTEGER;
const searchWindow = 2_048;
/** Streams that do not begin with `$`, and their metadata. */
const streamsOfUsers = '^(?:[^$]|\\$\\$[^$])';

const encodePosition = (from: number): ReadReq.Options.Position => {
  const position = new Position();
  position.setCommitPosition(String(from));
  position.setPreparePosition(String(from));
  return position;
};

const createUserStreamFilter = (): ReadReq.Options.FilterOptions => {
  const expression = new FilterOptions.Expression();
  expression.setRegex(streamsOfUsers);
  const filter = new FilterOptions();
  filter.setStreamIdentifier(expression);
  filter.setMax(searchWindow);
  filter.setCheckpointintervalmultiplier(1);
  return filter;
};

/** Ends at the event that was the newest when the read began: a log that is written to has no end. */
export async function* readServer(
  server: Server,
  { from, system }: ReadServerOptions,
): AsyncGenerator<LoggedEvent, void> {
  const end = await readNewestEvent(server);
  if (end === undefined) return;
  const all = new AllOptions();
  if (from === undefined) all.setStart(new Empty());
  else all.setPosition(encodePosition(from));
  const options = encodeReadOptions({ backwards: false, count: maxEvents });
  options.setAll(all);
  if (!system) options.setFilter(createUserStreamFilter());
  for await (const event of readEvents(server, options)) {
    if (event.position > end.position) return;
    yield event;
  }
}
