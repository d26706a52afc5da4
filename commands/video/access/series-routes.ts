/** Routes of series: videos of an owner in the order in which they are played. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { record } from '../../../domain/kernel/codec';
import type { TenantId } from '../../../domain/kernel/ids';
import { SeriesEpisodes, SeriesTitle } from '../../../domain/video/access/events';
import type { OwnedVideo } from '../../../domain/video/access/state';
import { type VideoId, VideoSeriesId } from '../../../domain/video/ids';
import { type Problem, problemOf } from '../../../infra/server/http/problem';
import { readVideo } from '../../../infra/server/video/video-access';
import { type CommandDeps, commandRoute } from '../../kernel/command-route';
import { accessProblems } from '../problems';
import { videoSourceOf } from '../video-source';
import { accessRouteDefaults, accessSubject, streamSourceOf } from './access-route';

const SeriesPath = record('VideoSeriesPath', { seriesId: VideoSeriesId });
const SeriesAnswer = record('ChangedVideoSeries', { seriesId: VideoSeriesId });

export const createVideoSeries = commandRoute<CommandDeps>()({
  ...accessRouteDefaults,
  method: 'post',
  path: '/api/video-series',
  operation: 'createVideoSeries',
  summary: 'Create a series of videos',
  sensitive: false,
  created: true,
  body: record('NewVideoSeries', { title: SeriesTitle }),
  answer: SeriesAnswer,
  prepare: ({ body: { title }, derivedId, ...request }) => {
    const subject = accessSubject(request);
    if (isLeft(subject)) return subject;
    const { stream, ...of } = subject.right;
    const seriesId = derivedId('series') as VideoSeriesId;
    return right({ stream, command: { type: 'CreateSeries' as const, ...of, seriesId, title }, answer: { seriesId } });
  },
});

export const renameVideoSeries = commandRoute<CommandDeps>()({
  ...accessRouteDefaults,
  method: 'put',
  path: '/api/video-series/:seriesId/title',
  operation: 'renameVideoSeries',
  summary: 'Rename a series',
  sensitive: false,
  params: SeriesPath,
  body: record('VideoSeriesName', { title: SeriesTitle }),
  answer: SeriesAnswer,
  prepare: ({ params: { seriesId }, body: { title }, ...request }) => {
    const subject = accessSubject(request);
    if (isLeft(subject)) return subject;
    const { stream, ...of } = subject.right;
    return right({ stream, command: { type: 'RenameSeries' as const, ...of, seriesId, title }, answer: { seriesId } });
  },
});

/** Which of them there are, and whose. */
const ownedVideos = async (
  deps: Pick<CommandDeps, 'store' | 'warm'>,
  tenant: TenantId,
  videoIds: readonly VideoId[],
): Promise<Either<Problem, readonly OwnedVideo[]>> => {
  const source = videoSourceOf(streamSourceOf(deps));
  const videos: OwnedVideo[] = [];
  for (const videoId of videoIds) {
    const found = await readVideo(source, { tenant, videoId });
    if (isLeft(found)) return left(problemOf(found.left, {}));
    const video = found.right;
    if (video === undefined)
      return left(
        problemOf(
          {
            kind: 'rejection',
            code: 'episode-of-another-owner',
            detail: `${videoId} is not a video of the owner of the series.`,
          },
          accessProblems,
        ),
      );
    videos.push(video);
  }
  return right(videos);
};

export const changeVideoSeriesEpisodes = commandRoute<CommandDeps>()({
  ...accessRouteDefaults,
  method: 'put',
  path: '/api/video-series/:seriesId/episodes',
  operation: 'changeVideoSeriesEpisodes',
  summary: 'Say which videos a series has, in which order',
  description:
    'All of them, each a video of the owner of the series and of no other one. Playback answers the next one that the viewer sees as `nextEpisodeId`.',
  sensitive: false,
  params: SeriesPath,
  body: record('NewVideoSeriesEpisodes', { videoIds: SeriesEpisodes }),
  answer: SeriesAnswer,
  prepare: async ({ params: { seriesId }, body: { videoIds }, ...request }, deps) => {
    const subject = accessSubject(request);
    if (isLeft(subject)) return subject;
    const videos = await ownedVideos(deps, request.tenantId, videoIds);
    if (isLeft(videos)) return videos;
    const { stream, ...of } = subject.right;
    const command = { type: 'ChangeSeriesEpisodes' as const, ...of, seriesId, videos: videos.right };
    return right({ stream, command, answer: { seriesId } });
  },
});

export const deleteVideoSeries = commandRoute<CommandDeps>()({
  ...accessRouteDefaults,
  method: 'delete',
  path: '/api/video-series/:seriesId',
  operation: 'deleteVideoSeries',
  summary: 'Delete a series',
  description: 'Its videos stay.',
  sensitive: false,
  params: SeriesPath,
  answer: SeriesAnswer,
  prepare: ({ params: { seriesId }, ...request }) => {
    const subject = accessSubject(request);
    if (isLeft(subject)) return subject;
    const { stream, ...of } = subject.right;
    return right({ stream, command: { type: 'DeleteSeries' as const, ...of, seriesId }, answer: { seriesId } });
  },
});
