/** Read requests: streams, `$all`, counted or followed, with filters. */
import { Empty } from '@eventstore/db-client/generated/shared_pb';
import { ReadReq } from '@eventstore/db-client/generated/streams_pb';
import { identifierOf } from './stream-requests';

export type Place = 'start' | 'end' | number | bigint;

export interface FilterBy {
  readonly on?: 'stream' | 'type';
  readonly regex?: string;
  readonly prefixes?: readonly string[];
  /** `unset` leaves the window out. */
  readonly window?: number | 'unset';
  readonly multiplier?: number;
}

export interface ReadBy {
  /** Absent: `$all`. */
  readonly stream?: string;
  readonly from?: Place;
  /** The prepare position of `$all`, when it is not the commit position. */
  readonly prepare?: bigint;
  readonly backwards?: boolean;
  /** Absent: a subscription. */
  readonly count?: number;
  readonly filter?: FilterBy;
  readonly resolveLinks?: boolean;
  readonly structuredIds?: boolean;
  readonly compatibility?: number;
}

const streamOptions = (stream: string, from: Place): ReadReq.Options.StreamOptions => {
  const options = new ReadReq.Options.StreamOptions().setStreamIdentifier(identifierOf(stream));
  if (from === 'start') return options.setStart(new Empty());
  return from === 'end' ? options.setEnd(new Empty()) : options.setRevision(String(from));
};

const allOptions = (from: Place, prepare: bigint | undefined): ReadReq.Options.AllOptions => {
  const options = new ReadReq.Options.AllOptions();
  if (from === 'start') return options.setStart(new Empty());
  if (from === 'end') return options.setEnd(new Empty());
  const position = new ReadReq.Options.Position().setCommitPosition(String(from));
  return options.setPosition(position.setPreparePosition(String(prepare ?? from)));
};

const filterOptions = (by: FilterBy): ReadReq.Options.FilterOptions => {
  const { on, regex, prefixes, window = 32, multiplier = 1 } = by;
  const expression = new ReadReq.Options.FilterOptions.Expression();
  if (regex !== undefined) expression.setRegex(regex);
  if (prefixes !== undefined) expression.setPrefixList([...prefixes]);
  const options = new ReadReq.Options.FilterOptions().setCheckpointintervalmultiplier(multiplier);
  if (on === 'stream') options.setStreamIdentifier(expression);
  if (on === 'type') options.setEventType(expression);
  return window === 'unset' ? options : options.setMax(window);
};

const idOption = (structured: boolean): ReadReq.Options.UUIDOption => {
  const option = new ReadReq.Options.UUIDOption();
  return structured ? option.setStructured(new Empty()) : option.setString(new Empty());
};

export const readRequest = (by: ReadBy): ReadReq => {
  const { stream, from = 'start', prepare, backwards = false, count, filter } = by;
  const { Options } = ReadReq;
  const options = new Options();
  if (stream === undefined) options.setAll(allOptions(from, prepare));
  else options.setStream(streamOptions(stream, from));
  options.setReadDirection(backwards ? Options.ReadDirection.BACKWARDS : Options.ReadDirection.FORWARDS);
  options.setResolveLinks(by.resolveLinks ?? false);
  if (count === undefined) options.setSubscription(new Options.SubscriptionOptions());
  else options.setCount(String(count));
  if (filter === undefined) options.setNoFilter(new Empty());
  else options.setFilter(filterOptions(filter));
  options.setUuidOption(idOption(by.structuredIds ?? false));
  options.setControlOption(new Options.ControlOption().setCompatibility(by.compatibility ?? 1));
  return new ReadReq().setOptions(options);
};
