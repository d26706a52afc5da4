/** Rows of logs and of their chunks. */
import type { Instant } from '../../../../domain/kernel/codec';
import type { LogLocation, LogState, StoredChunk } from '../../../ports/workflow/log-store';

export const ofLog = 'tenant = $1 and job_id = $2 and attempt = $3';
export const keyOf = ({ tenantId, jobId, attempt }: LogLocation): readonly unknown[] => [tenantId, jobId, attempt];

const isClosed = (parameter: string): string =>
  `coalesce(ended < clock_timestamp() - ${parameter} * interval '1 millisecond', false)`;

/** `late`: the parameter that has the milliseconds for which late chunks are taken. */
export const stateColumns = (late: string): string =>
  `log_id as "logId", next_chunk as next, bytes, lines, ended is not null as "isEnded", chunks,
   steps_revision as "stepsRevision", ${isClosed(late)} as "isClosed", storage`;

export type LogStorage = 'rows' | 'object' | 'expiring' | 'expired';

/** `bigint` arrives as text. */
export interface StateRow {
  readonly logId: string;
  readonly next: number;
  readonly bytes: string;
  readonly lines: string;
  readonly isEnded: boolean;
  readonly chunks: number | null;
  readonly stepsRevision: number;
  readonly isClosed: boolean;
  readonly storage: LogStorage;
}

export const stateOf = ({
  next,
  bytes,
  lines,
  isEnded,
  chunks,
  stepsRevision,
  isClosed: closed,
}: StateRow): LogState => ({
  next,
  bytes: Number(bytes),
  lines: Number(lines),
  stepsRevision,
  end: isEnded ? { chunks } : undefined,
  isComplete: closed || (isEnded && chunks !== null && next >= chunks),
});

export const noState: LogState = {
  next: 0,
  bytes: 0,
  lines: 0,
  end: undefined,
  isComplete: false,
  stepsRevision: 0,
};

export const chunkColumns = `chunk as "chunkOffset", byte_start as "byteStart", byte_end as "byteEnd", checksum, is_gzip as "isGzip",
  payload, emitted, line_start as "lineStart"`;

export interface ChunkRow {
  readonly chunkOffset: number;
  readonly byteStart: string;
  readonly byteEnd: string;
  readonly checksum: StoredChunk['checksum'];
  readonly isGzip: boolean;
  readonly payload: Buffer;
  readonly emitted: Instant;
  readonly lineStart: string;
}

export const chunkOf = ({ byteStart, byteEnd, isGzip, emitted, lineStart, ...row }: ChunkRow): StoredChunk => ({
  ...row,
  byteStart: Number(byteStart),
  byteEnd: Number(byteEnd),
  lineStart: Number(lineStart),
  encoding: isGzip ? 'gzip' : 'plain',
  emittedAt: emitted,
});
