/** What was watched of a video, for its owner: by day or minute, and how far viewers got. */
import { isLeft } from 'fp-ts/Either';
import type { TypeOf } from 'io-ts';
import { decimal, finite, Instant, integer, listOf, oneOf, record } from '../../domain/kernel/codec';
import { addViews, filmParts, noViews, type ViewSums } from '../../domain/video/views/events';
import type { TableView } from '../../infra/ports/views/view-store';
import { invalidInput, problemOf } from '../../infra/server/http/problem';
import { route } from '../../infra/server/http/routing/route';
import { videoUnknown } from '../../infra/server/video/problems';
import { isVideoAdministrator } from '../../infra/server/video/viewers';
import { videosView } from '../../projections/video/videos/view';
import { type ViewDayRow, viewDaysView } from '../../projections/video/view-days/view';
import { type ViewMinuteRow, viewMinutesView } from '../../projections/video/view-minutes/view';
import { readProblems, scopes, VideoPath, type VideoReading } from './video-reading';

const maxRows = 1_440;
const daySeconds = 86_400;

const counted = {
  plays: integer(0),
  viewers: integer(0),
  playbacks: integer(0),
  watchedSeconds: finite,
  bufferingEvents: integer(0),
  seeks: integer(0),
};

const VideoStatistics = record('VideoStatistics', {
  from: Instant,
  to: Instant,
  by: oneOf('StatisticsUnit', ['day', 'minute']),
  /** Without those in which nothing was watched. */
  periods: listOf('StatisticsPeriods', record('StatisticsPeriod', { startsAt: Instant, ...counted }), maxRows),
  sums: record('StatisticsSums', counted),
  bufferingEventsPerHour: finite,
  /** For each tenth of the film, the share of playbacks that watched something of it. */
  retention: listOf('Retention', decimal(0, 1), filmParts, filmParts),
  /** Claimed by players beyond what is possible, and in none of the numbers above. */
  suspicious: record('SuspiciousViews', { plays: integer(0), watchedSeconds: finite, heartbeats: integer(0) }),
});
type VideoStatistics = TypeOf<typeof VideoStatistics>;

interface Period {
  readonly startsAt: Instant;
  readonly sums: ViewSums;
}

const countedIn = (sums: ViewSums) => {
  const { plays, viewers, playbacks, watchedMilliseconds, bufferingEvents, seeks } = sums;
  return { plays, viewers, playbacks, watchedSeconds: watchedMilliseconds / 1_000, bufferingEvents, seeks };
};

const statisticsOf = (
  periods: readonly Period[],
  span: Pick<VideoStatistics, 'from' | 'to' | 'by'>,
): VideoStatistics => {
  const sums = periods.reduce((sum, period) => addViews(sum, period.sums), noViews);
  const hours = sums.watchedMilliseconds / 3_600_000;
  return {
    ...span,
    periods: periods.map(({ startsAt, sums: ofPeriod }) => ({ startsAt, ...countedIn(ofPeriod) })),
    sums: countedIn(sums),
    bufferingEventsPerHour: hours === 0 ? 0 : sums.bufferingEvents / hours,
    retention: sums.reached.map((reached) => (sums.playbacks === 0 ? 0 : Math.min(1, reached / sums.playbacks))),
    suspicious: {
      plays: sums.shadowPlays,
      watchedSeconds: sums.shadowMilliseconds / 1_000,
      heartbeats: sums.shadowHeartbeats,
    },
  };
};

const StatisticsQuery = record(
  'VideoStatisticsQuery',
  {},
  { by: oneOf('StatisticsBy', ['day', 'minute']), from: Instant, to: Instant },
);

const unitSeconds = { day: daySeconds, minute: 60 } as const;

/** Left out: the last 30 days, or the last hour, with what has begun. */
const spanOf = ({ by = 'day', from, to }: TypeOf<typeof StatisticsQuery>, now: Instant) => {
  const end = to ?? now;
  const defaultSeconds = by === 'day' ? 30 * daySeconds : 3_600;
  const begin = from ?? (new Date(Date.parse(end) - defaultSeconds * 1_000).toISOString() as Instant);
  return { by, from: begin, to: end };
};

export const getVideoStatistics = route<VideoReading>()({
  method: 'get',
  path: '/api/videos/:videoId/statistics',
  operation: 'getVideoStatistics',
  summary: 'Get what was watched of a video',
  description: `For its owner: plays, viewers, watched time and buffering by \`day\` (UTC; the last 30 days) or \`minute\` (the last hour), and the share of playbacks that reached each tenth of the film. At most ${maxRows} periods. The rule by which views are counted is in the guide.`,
  access: { scopes },
  params: VideoPath,
  query: StatisticsQuery,
  answers: { 200: { description: 'As far as heartbeats prove it.', body: VideoStatistics } },
  problems: readProblems,
  handle: async ({ views, clock }, { params: { videoId }, query, identity }) => {
    const { tenantId } = identity;
    const video = await views.find(videosView, tenantId, { videoId });
    if (isLeft(video)) return problemOf(video.left, {});
    if (video.right === undefined) return videoUnknown;
    if (video.right.ownerId !== identity.principalId && !isVideoAdministrator(identity)) return videoUnknown;
    const span = spanOf(query, clock.now());
    const seconds = (Date.parse(span.to) - Date.parse(span.from)) / 1_000;
    if (seconds <= 0 || seconds > maxRows * unitSeconds[span.by])
      return invalidInput([
        { pointer: '/query/from', expected: `an instant before \`to\`, by ${maxRows} ${span.by}s at most` },
      ]);
    const read = async <Row extends ViewDayRow | ViewMinuteRow>(
      view: TableView<Row>,
      field: keyof Row & string,
      from: Instant,
    ) =>
      views.page(view, tenantId, {
        where: { videoId } as never,
        between: { field, from, to: span.to },
        order: [{ field, direction: 'asc' }],
        limit: maxRows + 1,
      });
    if (span.by === 'day') {
      const rows = await read(viewDaysView, 'day', `${span.from.slice(0, 10)}T00:00:00.000Z` as Instant);
      if (isLeft(rows)) return problemOf(rows.left, {});
      const periods = rows.right.slice(-maxRows).map(({ day: startsAt, sums }) => ({ startsAt, sums }));
      return { status: 200, body: statisticsOf(periods, span) };
    }
    const rows = await read(viewMinutesView, 'minute', `${span.from.slice(0, 16)}:00.000Z` as Instant);
    if (isLeft(rows)) return problemOf(rows.left, {});
    const periods = rows.right.slice(-maxRows).map(({ minute: startsAt, sums }) => ({ startsAt, sums }));
    return { status: 200, body: statisticsOf(periods, span) };
  },
});
