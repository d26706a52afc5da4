/** Positions as the query API reads them: with the rights of its role, which sees one tenant at a time. */
import type { WatchPositions } from '../../../ports/video/watch-positions';
import { attempted, openPool, type PostgresOptions } from '../pool';
import { tenantQueries } from '../tenant-session';
import { positionsView } from './view-tables';

const statement = {
  name: 'video-watch-position',
  text: `select position_ms as position, duration_ms as duration from ${positionsView}
    where tenant = $1 and video_id = $2 and viewer_id = $3`,
};

export const openWatchPositions = (options: PostgresOptions): WatchPositions => {
  const pool = openPool({ connections: 2, statementMilliseconds: 2_000, ...options });
  const query = tenantQueries(pool, options.url);
  return {
    find: ({ tenant, videoId, viewerId }) =>
      attempted('view-counts-unavailable', async () => {
        const { rows } = await query<{ position: string; duration: string }>(tenant, {
          ...statement,
          values: [tenant, videoId, viewerId],
        });
        const [row] = rows;
        return row && { position: Number(row.position), duration: Number(row.duration) };
      }),
    close: () => pool.end(),
  };
};
