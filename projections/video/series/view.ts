/** Titles of series; which videos they have is folded from the access stream. Null: the key of the title is gone. */
import type { TypeOf } from 'io-ts';
import { Instant, integer, nullable, record, text } from '../../../domain/kernel/codec';
import { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { VideoSeriesId } from '../../../domain/video/ids';
import { type TableView, table } from '../../kernel/view';

export const SeriesRow = record('VideoSeriesRow', {
  tenantId: TenantId,
  seriesId: VideoSeriesId,
  ownerId: PrincipalId,
  /** As long as ciphertext of the longest title is. */
  title: nullable(text('SealedVideoSeriesTitle', { maxLength: 1_600 })),
  createdAt: Instant,
  revision: integer(0),
});
export type SeriesRow = TypeOf<typeof SeriesRow>;

export const seriesView: TableView<SeriesRow> = table({
  name: 'video_series',
  version: 1,
  personal: true,
  sealed: { encrypted: ['title'], digests: [] },
  row: SeriesRow,
  key: ['tenantId', 'seriesId'],
  indexes: [['tenantId', 'ownerId', 'createdAt', 'seriesId']],
});
