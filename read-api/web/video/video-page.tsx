/** One video: its state and source, and for its owner each step of its processing, its audience, and its views. */
import { getVideo } from '../../../packages/client/src/operations';
import type { Video } from '../../../packages/client/src/schemas';
import { AsyncContent } from '../components/async-content';
import { PageHeading } from '../components/page-heading';
import { Timestamp } from '../components/timestamp';
import { type DescriptionEntry, DescriptionList } from '../identity/shared/display';
import { bytesOf } from '../kernel/format';
import { hasScope } from '../kernel/permissions';
import { useResource } from '../kernel/use-resource';
import { CopyableId } from '../references/copyable-id';
import type { PageProps } from '../shell/section';
import { DeleteVideo } from './delete-video';
import { mayManage } from './may-manage';
import { VideoModeration } from './moderation/moderation';
import { videosPath, watchPath } from './paths';
import { lengthText } from './player/clock-text';
import { VideoSharing } from './sharing/sharing';
import { VideoCaptionTracks } from './sidecars/captions';
import { VideoPosterChoice } from './sidecars/poster';
import { SourceRetention } from './source-retention';
import { VideoDetails } from './video-details';
import { VideoProcessingSteps } from './video-processing';
import { VideoState } from './video-state';
import { VideoStatistics } from './video-statistics';

const everyMilliseconds = 5_000;

/** What the probe has not found yet is left out. */
const factsOf = (video: Video): readonly DescriptionEntry[] => [
  ['State', <VideoState key="state" video={video} />],
  ['Size', bytesOf(video.fileSize)],
  ['Type', video.contentType],
  ...(video.durationMilliseconds === null
    ? []
    : [['Length', lengthText(video.durationMilliseconds)] satisfies DescriptionEntry]),
  ...(video.width === null || video.height === null
    ? []
    : [['Picture', `${video.width} × ${video.height}`] satisfies DescriptionEntry]),
  ['Created', <Timestamp key="created" at={video.createdAt} />],
  ...(video.uploadedAt === null
    ? []
    : [['Uploaded', <Timestamp key="uploaded" at={video.uploadedAt} />] satisfies DescriptionEntry]),
  ...(video.replacedAt === null
    ? []
    : [['Film replaced', <Timestamp key="replaced" at={video.replacedAt} />] satisfies DescriptionEntry]),
  ...(video.status === 'uploading'
    ? [['Expires', <Timestamp key="expires" at={video.uploadExpiresAt} />] satisfies DescriptionEntry]
    : []),
];

export const VideoPage = ({ params: { videoId = '' } }: PageProps) => {
  const video = useResource(getVideo({ videoId }), { everyMilliseconds });
  const { content } = video;
  const isUploaded = content !== undefined && content.uploadedAt !== null;
  const isPlayable = content !== undefined && content.playableAt !== null && content.status !== 'failed';
  const isManager = content !== undefined && mayManage(content);
  return (
    <>
      <PageHeading
        title={video.content?.title ?? 'Video'}
        lead={<CopyableId id={videoId} of={video.content?.title ?? 'the video'} />}
        trail={[{ label: 'Videos', path: videosPath }]}
      >
        {isPlayable && (
          <a class="button primary" href={watchPath(videoId)}>
            Watch
          </a>
        )}
        {isUploaded && isManager && hasScope('videos:write') && (
          <DeleteVideo videoId={videoId} title={content.title ?? 'The video'} />
        )}
      </PageHeading>
      <AsyncContent source={video} rows={4}>
        {(found) => (
          <>
            <VideoDetails video={found} onDone={video.reload} />
            <DescriptionList facts={factsOf(found)} />
          </>
        )}
      </AsyncContent>
      {isUploaded && isManager && (
        <>
          <VideoProcessingSteps video={content} onChange={video.reload} />
          <VideoSharing videoId={videoId} />
          <VideoPosterChoice key={content.replacedAt} video={content} />
          <VideoCaptionTracks video={content} />
          <SourceRetention videoId={videoId} status={content.status} />
          <VideoStatistics videoId={videoId} />
          {hasScope('videos:admin') && <VideoModeration video={content} onDone={video.reload} />}
        </>
      )}
    </>
  );
};
