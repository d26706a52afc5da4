/** Watches one video. */
import { useEffect, useState } from 'preact/hooks';
import { getVideo, getVideoPlayback, recordHeartbeat } from '../../../packages/client/src/operations';
import type { Video } from '../../../packages/client/src/schemas';
import { AsyncContent } from '../components/async-content';
import { PageHeading } from '../components/page-heading';
import { ProblemMessage } from '../components/problem-message';
import { Timestamp } from '../components/timestamp';
import { read, sendBeforeLeaving } from '../kernel/api-client';
import { countOf } from '../kernel/format';
import { isMe } from '../kernel/permissions';
import type { Problem } from '../kernel/problem';
import { useResource } from '../kernel/use-resource';
import type { PageProps } from '../shell/section';
import { Report } from './moderation/report';
import { OwnerName } from './owner-name';
import { channelPath, videoPath, videosPath } from './paths';
import { Player } from './player/player';
import { NextEpisode } from './series/next-episode';
import { VideoState } from './video-state';

const everyMilliseconds = 10_000;
const awaitedMilliseconds = 5_000;

const Facts = ({ video, link }: { readonly video: Video; readonly link: string | null }) => {
  return (
    <div class="watch-facts">
      <span>
        By{' '}
        <a href={channelPath(video.ownerId)}>
          <OwnerName ownerId={video.ownerId} />
        </a>
      </span>
      <span>{countOf(video.views, 'view')}</span>
      <Timestamp at={video.createdAt} />
      {video.status !== 'ready' && <VideoState video={video} />}
      {!isMe(video.ownerId) && <Report videoId={video.videoId} link={link} />}
    </div>
  );
};

const remedies: Readonly<Record<string, string>> = {
  'entitlement-required': 'Ask its owner for access.',
  'not-playable': 'This page asks again every few seconds; its state is on the page of the video.',
  'video-failed': 'Its owner finds what helps on the page of the video.',
};

/** Why there is nothing to play, and what helps. */
const Refusal = ({ problem, retry }: { readonly problem: Problem; readonly retry: () => void }) => {
  const remedy = remedies[problem.code];
  const detail = remedy === undefined ? problem.detail : `${problem.detail} ${remedy}`;
  return <ProblemMessage problem={{ ...problem, detail }} retry={retry} />;
};

export const WatchPage = ({ params: { videoId = '' }, query }: PageProps) => {
  const link = query.get('link');
  const request = getVideoPlayback(link === null ? { videoId } : { videoId, link });
  const video = useResource(getVideo({ videoId }), { everyMilliseconds });
  const [ended, setEnded] = useState<string>();
  const [isAwaited, setAwaited] = useState(false);
  const playback = useResource(request, isAwaited ? { everyMilliseconds: awaitedMilliseconds } : {});
  const code = playback.problem?.code;
  useEffect(() => setAwaited(code === 'not-playable'), [code]);
  const title = video.content?.title ?? 'Video';
  const { content, problem, reload } = playback;
  const nextEpisodeId = content?.nextEpisodeId ?? undefined;
  const hasEnded = ended === videoId;
  return (
    <>
      <PageHeading
        title={title}
        trail={[
          { label: 'Videos', path: videosPath },
          { label: title, path: videoPath(videoId) },
        ]}
      />
      {/* Above the picture, where it is seen without scrolling while it counts. */}
      {nextEpisodeId !== undefined && hasEnded && <NextEpisode videoId={nextEpisodeId} hasEnded />}
      {content === undefined && problem !== undefined && problem.status !== 401 ? (
        <Refusal problem={problem} retry={reload} />
      ) : (
        <AsyncContent source={{ content, problem: undefined, reload }} rows={6}>
          {(found) => (
            <Player
              key={videoId}
              {...{ videoId, title, playback: found }}
              engine={query.get('engine') === 'dash' ? 'dash' : 'hls'}
              renew={() => read(request)}
              report={(body) => sendBeforeLeaving(recordHeartbeat({ videoId, body }))}
              isAutoplaying={query.get('autoplay') === '1'}
              onEnd={() => setEnded(videoId)}
            />
          )}
        </AsyncContent>
      )}
      {video.content !== undefined && <Facts video={video.content} link={link} />}
      {typeof video.content?.description === 'string' && <p class="video-description">{video.content.description}</p>}
      {nextEpisodeId !== undefined && !hasEnded && <NextEpisode videoId={nextEpisodeId} hasEnded={false} />}
    </>
  );
};
