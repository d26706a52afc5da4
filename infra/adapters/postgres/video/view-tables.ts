/** Tables of views while they are counted, and the reading role's view of positions. */
import { ownTenant, readerView } from '../row-level-security';
import { schema } from '../sql';

export const partitionsTable = `${schema}.video_view_partitions`;
export const playbacksTable = `${schema}.video_playbacks`;
export const viewersTable = `${schema}.video_viewers`;
export const positionsTable = `${schema}.video_watch_positions`;
export const batchesTable = `${schema}.video_view_batches`;
export const streamsTable = `${schema}.video_view_streams`;
export const forgottenTable = `${schema}.video_forgotten_to`;

export const positionsView = `${schema}.video_watch_position_records`;

export const videoReaderViews: readonly string[] = readerView(
  positionsView,
  `select tenant, video_id, viewer_id, position_ms, duration_ms from ${positionsTable} where tenant = ${ownTenant}`,
);
