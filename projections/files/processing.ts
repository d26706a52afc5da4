/** What rows show of the processing of a version, and how its events change them. */
import { FileErrorCode } from '../../domain/files/content/error-code';
import { FileFormat } from '../../domain/files/content/read-result';
import type { FileId, VersionId } from '../../domain/files/ids';
import { type IngestionEvent, ingestions } from '../../domain/files/ingestion/events';
import { type FileStatus, PipelineVersion, type Stage, stages } from '../../domain/files/pipeline';
import { type Instant, integer, nullable, text } from '../../domain/kernel/codec';
import type { TenantId } from '../../domain/kernel/ids';
import type { ViewRow } from '../../infra/ports/views/view-store';
import { type ProjectionSource, patchRowsWhere, streamsOf } from '../kernel/projection';
import type { RecordedEvent } from '../kernel/recorded-event';
import type { Change } from '../kernel/view';

export const processingFields = {
  /** Of the pipeline whose work the status is about; null before any. */
  pipelineVersion: nullable(PipelineVersion),
  /** By its content; null until that was read. */
  format: nullable(FileFormat),
  progressPercent: nullable(integer(0, 100)),
  errorCode: nullable(FileErrorCode),
  /** Why it failed or waits, in a sentence for people. */
  errorDetail: nullable(text('ProcessingDetail', { maxLength: 300 })),
};

export interface ProcessingRow extends ViewRow {
  readonly status: FileStatus | 'SUPERSEDED' | 'EXPIRED';
  readonly pipelineVersion: number | null;
  readonly format: FileFormat | null;
  readonly progressPercent: number | null;
  readonly errorCode: FileErrorCode | null;
  readonly errorDetail: string | null;
}

export const unprocessed = {
  pipelineVersion: null,
  format: null,
  progressPercent: null,
  errorCode: null,
  errorDetail: null,
} as const;

type Fields = Partial<Omit<ProcessingRow, keyof ViewRow>>;

interface Processed {
  readonly tenantId: TenantId;
  readonly fileId: FileId;
  readonly versionId: VersionId;
}

/** The conditions of a view's rows. A version that answers goes on answering, whatever becomes of its next processing. */
export interface ProcessedRows<Row extends ViewRow> {
  /** The rows whose status is of this version. */
  readonly of: (processed: Processed) => Partial<Row> & Pick<Row, 'tenantId'>;
  /** Whether it is the one that answers. */
  readonly isCurrent: (isCurrent: boolean) => Partial<Row>;
  /** What every change sets besides. */
  readonly at: (occurredAt: Instant) => Partial<Row>;
  /** Of a version whose processing was given up; left out, its rows stay as they are. */
  readonly cancelled?: Fields;
}

const percentOf = (stage: Stage): number => Math.round((100 * (stages.indexOf(stage) + 1)) / stages.length);

export const processingSource = <Row extends ProcessingRow>(
  rows: ProcessedRows<Row>,
): ProjectionSource<Change<Row>> => {
  type Recorded = RecordedEvent<IngestionEvent>;
  const where = ({ data: { fileId, versionId }, at: { tenantId } }: Recorded) =>
    rows.of({ tenantId, fileId, versionId });
  const patch = (recorded: Recorded, fields: Fields, condition: Partial<Row> = {}) =>
    patchRowsWhere<Row>(
      { ...where(recorded), ...condition },
      { ...(fields as Partial<Row>), ...rows.at(recorded.event.occurredAt) },
    );
  /** Rows that are about this pipeline. */
  const patchProcessed = (recorded: Recorded, fields: Fields, condition: Fields | Partial<Row> = {}) => {
    const { pipelineVersion } = recorded.data;
    return patch(recorded, fields, { pipelineVersion, ...condition } as Partial<Row>);
  };
  const begin = (
    recorded: RecordedEvent<Extract<IngestionEvent, { type: 'IngestionRequested' | 'ReindexingRequested' }>>,
  ) => {
    const { pipelineVersion } = recorded.data;
    const begun = { ...unprocessed, status: 'PROCESSING', pipelineVersion, progressPercent: 0 } as const;
    return patch(recorded, begun, rows.isCurrent(false));
  };
  return streamsOf(ingestions, {
    ignored: ['EmbeddingRequested', 'ChunksIndexed', 'ChunksWithdrawn'],
    IngestionRequested: begin,
    ReindexingRequested: begin,
    StageCompleted: (recorded) => {
      const { stage, result } = recorded.data;
      const format = result.format === null ? {} : { format: result.format };
      return patchProcessed(recorded, { progressPercent: percentOf(stage), errorDetail: null, ...format });
    },
    StageDeferred: (recorded) => patchProcessed(recorded, { errorDetail: recorded.data.reason }),
    StageRetried: (recorded) => [
      ...patchProcessed(recorded, { errorCode: null, errorDetail: null }),
      ...patchProcessed(recorded, { status: 'PROCESSING' }, { status: 'FAILED' }),
    ],
    IngestionPartlyReady: (recorded) => patchProcessed(recorded, { status: 'PARTIALLY_READY' }),
    IngestionReady: (recorded) =>
      patchProcessed(recorded, { status: 'READY', progressPercent: 100, errorCode: null, errorDetail: null }),
    IngestionFailed: (recorded) => {
      const { code: errorCode, detail: errorDetail } = recorded.data;
      return [
        ...patchProcessed(recorded, { errorCode, errorDetail }),
        ...patchProcessed(recorded, { status: 'FAILED' }, rows.isCurrent(false)),
      ];
    },
    IngestionCancelled: (recorded) =>
      rows.cancelled === undefined ? [] : patchProcessed(recorded, rows.cancelled, rows.isCurrent(false)),
  });
};
