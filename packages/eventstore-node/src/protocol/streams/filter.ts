/** Server-side filters of `$all`: prefixes or a regular expression, over the stream's name or the event's type. */
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb';
import type { Matches } from '../../storage/read-pages';
import { streamOf, typeOf } from '../../storage/records/record-format';
import { handlerFailed, invalidArgument } from '../errors';
import { compilePattern } from './bounded-regex';

export interface Filter {
  readonly matches: Matches;
  /** Events read per page; undefined when the client requested a count. */
  readonly window: number | undefined;
  /** A checkpoint is sent after this many events were read. */
  readonly checkpointEvery: number;
}

const matchEverything: Matches = () => true;
const matchNothing: Matches = () => false;

type Expression = Pick<ReadReq.Options.FilterOptions.Expression, 'getPrefixList' | 'getRegex'>;

export const createMatcher = (expression: Expression, part: typeof streamOf): Matches => {
  const prefixes = expression.getPrefixList().map((prefix) => Buffer.from(prefix));
  const regex = expression.getRegex();
  if (regex !== '') {
    const test = compilePattern(regex);
    return ({ bytes }) => test(part(bytes).toString('utf8'));
  }
  if (prefixes.length === 0) return matchNothing;
  return ({ bytes }) => {
    const value = part(bytes);
    return prefixes.some((prefix) => value.length >= prefix.length && prefix.compare(value, 0, prefix.length) === 0);
  };
};

const defaultWindow = 32;

export const decodeFilter = (options: ReadReq.Options): Filter => {
  const filter = options.getFilter();
  if (filter === undefined) return { matches: matchEverything, window: undefined, checkpointEvery: 0 };
  const byStream = filter.getStreamIdentifier();
  const byType = filter.getEventType();
  const matches = byStream !== undefined ? createMatcher(byStream, streamOf) : byType && createMatcher(byType, typeOf);
  if (matches === undefined) throw invalidArgument("'None' is not a valid FilterOneofCase");
  if (!filter.hasMax() && !filter.hasCount()) throw invalidArgument("'None' is not a valid WindowOneofCase");
  const window = filter.hasMax() ? Math.max(filter.getMax(), 1) : defaultWindow;
  const multiplier = filter.getCheckpointintervalmultiplier();
  if (options.hasSubscription() && multiplier === 0) throw handlerFailed();
  return { matches, window, checkpointEvery: window * multiplier };
};
