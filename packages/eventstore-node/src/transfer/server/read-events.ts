/** Reads events of a server as events of a log. */
import { Empty } from '@eventstore/db-client/generated/shared_pb';
import { ReadReq, type ReadResp } from '@eventstore/db-client/generated/streams_pb';
import { tombstoneRevision } from '../../storage/records/record-format';
import type { LoggedEvent } from '../format/event-line';
import { TransferError } from '../transfer-error';
import { encodeStreamIdentifier } from './append-messages';
import type { Server } from './connection';

const { AllOptions, ControlOption, ReadDirection, StreamOptions, UUIDOption } = ReadReq.Options;

interface ReadShape {
  readonly backwards: boolean;
  readonly count: number;
}

/** Read options without the source: links unresolved, ids as text. */
export const encodeReadOptions = ({ backwards, count }: ReadShape): ReadReq.Options => {
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

/** The call ends when the caller stops iterating. */
export async function* readEvents(server: Server, options: ReadReq.Options): AsyncGenerator<LoggedEvent, void> {
  const request = new ReadReq();
  request.setOptions(options);
  const call = (await server.streams()).read(request, ...server.unlimited());
  try {
    for await (const reply of call as AsyncIterable<ReadResp>) {
      const recorded = reply.getEvent()?.getEvent();
      if (recorded !== undefined) yield decodeLoggedEvent(recorded);
    }
  } finally {
    call.cancel();
  }
}

export type Edge = 'oldest' | 'newest';

const readFirst = async (events: AsyncGenerator<LoggedEvent, void>): Promise<LoggedEvent | undefined> => {
  for await (const event of events) return event;
  return undefined;
};

/** Reads the last visible event of a stream; undefined when there is none. */
export const readEdge = (server: Server, stream: Buffer, edge: Edge): Promise<LoggedEvent | undefined> => {
  const options = encodeReadOptions({ backwards: edge === 'newest', count: 1 });
  const position = new StreamOptions();
  position.setStreamIdentifier(encodeStreamIdentifier(stream));
  if (edge === 'newest') position.setEnd(new Empty());
  else position.setStart(new Empty());
  options.setStream(position);
  return readFirst(readEvents(server, options));
};

/** Reads the last event of the log. */
export const readNewestEvent = (server: Server): Promise<LoggedEvent | undefined> => {
  const options = encodeReadOptions({ backwards: true, count: 1 });
  const position = new AllOptions();
  position.setEnd(new Empty());
  options.setAll(position);
  return readFirst(readEvents(server, options));
};

type Recorded = ReadResp.ReadEvent.RecordedEvent;

const int64Maximum = '9223372036854775807';

/** Converts units of 100 nanoseconds since 1970, in decimal, to ISO 8601. */
const formatTicks = (ticks: string): string => {
  if (!/^\d{1,18}$/.test(ticks)) return formatTicks('0');
  const [milliseconds, rest] = [ticks.slice(0, -4), ticks.slice(-4).padStart(4, '0')];
  return `${new Date(Number(milliseconds)).toISOString().slice(0, -1)}${rest}Z`;
};

/** Safe integers reach nine petabytes of log. */
const toSafeInteger = (decimal: string, what: string): number => {
  const number = Number(decimal);
  if (!Number.isSafeInteger(number)) throw new TransferError(`The ${what} ${decimal} is too large.`);
  return number;
};

/** Decodes a recorded event of the protocol. */
export const decodeLoggedEvent = (recorded: Recorded): LoggedEvent => {
  const metadata = recorded.getMetadataMap();
  const revision = recorded.getStreamRevision();
  return {
    stream: Buffer.from(recorded.getStreamIdentifier()?.getStreamName_asU8() ?? []),
    revision: revision === int64Maximum ? tombstoneRevision : toSafeInteger(revision, 'revision'),
    id: recorded.getId()?.getString() ?? '',
    type: metadata.get('type') ?? '',
    json: metadata.get('content-type') === 'application/json',
    created: formatTicks(metadata.get('created') ?? ''),
    position: toSafeInteger(recorded.getCommitPosition(), 'position'),
    data: recorded.getData_asU8(),
    metadata: recorded.getCustomMetadata_asU8(),
  };
};
