/** A recorded event as the protocol sends it, as a line of ours. */
import type { ReadResp } from '@eventstore/db-client/generated/streams_pb';
import { tombstoneRevision } from '../storage/record';
import { TransferError } from './faults';
import type { LoggedEvent } from './line';

type Recorded = ReadResp.ReadEvent.RecordedEvent;

const int64Maximum = '9223372036854775807';

/** Hundreds of nanoseconds since 1970, in decimal, as ISO 8601. */
const instantOf = (ticks: string): string => {
  if (!/^\d{1,18}$/.test(ticks)) return instantOf('0');
  const [milliseconds, rest] = [ticks.slice(0, -4), ticks.slice(-4).padStart(4, '0')];
  return `${new Date(Number(milliseconds)).toISOString().slice(0, -1)}${rest}Z`;
};

/** As far as numbers go, which is nine petabytes of log. */
const exactly = (decimal: string, what: string): number => {
  const number = Number(decimal);
  if (!Number.isSafeInteger(number)) throw new TransferError(`The ${what} ${decimal} is too large.`);
  return number;
};

export const loggedEventOf = (recorded: Recorded): LoggedEvent => {
  const metadata = recorded.getMetadataMap();
  const revision = recorded.getStreamRevision();
  return {
    stream: Buffer.from(recorded.getStreamIdentifier()?.getStreamName_asU8() ?? []),
    revision: revision === int64Maximum ? tombstoneRevision : exactly(revision, 'revision'),
    id: recorded.getId()?.getString() ?? '',
    type: metadata.get('type') ?? '',
    json: metadata.get('content-type') === 'application/json',
    created: instantOf(metadata.get('created') ?? ''),
    position: exactly(recorded.getCommitPosition(), 'position'),
    data: recorded.getData_asU8(),
    metadata: recorded.getCustomMetadata_asU8(),
  };
};
