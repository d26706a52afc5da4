/** Decodes the options of a Read request. */
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb';
import { ReadReq as Request } from '@eventstore/db-client/generated/streams_pb';
import { isSystemStream } from '../../access/acl';
import type { Matches } from '../../storage/read-pages';
import type { Direction } from '../../storage/records/read-record';
import { streamOf } from '../../storage/records/record-format';
import { handlerFailed, invalidArgument } from '../errors';
import { decodeFilter, type Filter } from './filter';
import { decodeStreamName } from './proposed-events';
import type { IdForm } from './read-replies';

/** `start` and `end` of the stream or log, or a place within it. */
export type ReadFrom = 'start' | 'end' | number;

export interface ReadOptions {
  /** Undefined: `$all`. */
  readonly stream: Buffer | undefined;
  readonly from: ReadFrom;
  readonly direction: Direction;
  /** Undefined: a subscription. */
  readonly count: number | undefined;
  readonly filter: Filter;
  readonly resolveLinks: boolean;
  readonly access: ReadAccess;
  readonly idForm: IdForm;
  /** The compatibility version that the client requests: from 1 on, stream positions are sent. */
  readonly compatibility: number;
}

/** Of an unsigned number in decimal: what is not safe as a number is beyond every revision, position and count. */
const safeNumber = (text: string): number => {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : Number.POSITIVE_INFINITY;
};

const streamFrom = (options: ReadReq.Options.StreamOptions): ReadFrom => {
  if (options.hasStart()) return 'start';
  if (options.hasEnd()) return 'end';
  if (options.hasRevision()) return safeNumber(options.getRevision());
  throw invalidArgument("'None' is not a valid RevisionOptionOneofCase");
};

const allFrom = (options: ReadReq.Options.AllOptions): ReadFrom => {
  if (options.hasStart()) return 'start';
  if (options.hasEnd()) return 'end';
  const position = options.getPosition();
  if (position === undefined) throw invalidArgument("'None' is not a valid AllOptionOneofCase");
  if (BigInt(position.getCommitPosition()) < BigInt(position.getPreparePosition())) throw handlerFailed();
  return safeNumber(position.getCommitPosition());
};

const targetOf = (options: ReadReq.Options): Pick<ReadOptions, 'stream' | 'from'> => {
  const stream = options.getStream();
  const all = options.getAll();
  if (stream !== undefined) {
    const name = decodeStreamName(stream);
    // An empty name reads everything, as in EventStoreDB.
    return { stream: name.length === 0 ? undefined : name, from: streamFrom(stream) };
  }
  if (all === undefined) throw invalidArgument("'None' is not a valid StreamOptionOneofCase");
  return { stream: undefined, from: allFrom(all) };
};

const combination = (): Error => invalidArgument('The combination of (Stream, Count, Forwards, Filter) is invalid.');

/** What the caller may read. */
export interface ReadAccess {
  /** Throws when the stream (undefined: `$all`) may not be read, or no longer may. */
  readonly check: (stream: Buffer | undefined) => void;
  readonly mayRead: (stream: Buffer) => boolean;
  /** Whether the caller may read every stream. */
  readonly isAdministrator: boolean;
}

/** Access lists of system streams hide events, such as users' passwords, even from readers of the whole log. */
const visibleTo = ({ isAdministrator, mayRead }: ReadAccess, filter: Filter): Filter => {
  if (isAdministrator) return filter;
  const matches: Matches = (record) => {
    const stream = streamOf(record.bytes);
    return (!isSystemStream(stream) || mayRead(stream)) && filter.matches(record);
  };
  return { ...filter, matches };
};

export const decodeReadOptions = (request: ReadReq, access: ReadAccess): ReadOptions => {
  const options = request.getOptions();
  if (options === undefined) throw invalidArgument("'None' is not a valid options");
  const subscription = options.hasSubscription();
  const isCount = options.getCountOptionCase() === Request.Options.CountOptionCase.COUNT;
  if (!subscription && !isCount) throw invalidArgument("'None' is not a valid CountOptionOneofCase");
  const backwards = options.getReadDirection() === Request.Options.ReadDirection.BACKWARDS;
  const target = targetOf(options);
  if (subscription && backwards) throw combination();
  if (target.stream !== undefined && options.hasFilter()) throw combination();
  access.check(target.stream);
  return {
    ...target,
    access,
    direction: backwards ? 'backwards' : 'forwards',
    count: subscription ? undefined : safeNumber(options.getCount()),
    filter: visibleTo(access, decodeFilter(options)),
    resolveLinks: options.getResolveLinks(),
    idForm: options.getUuidOption()?.hasStructured() ? 'structured' : 'text',
    compatibility: options.getControlOption()?.getCompatibility() ?? 0,
  };
};
