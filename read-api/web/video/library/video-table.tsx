/** Videos of a list: titles lead managers to a video’s page, and others to where it is watched. */
import type { ComponentChildren } from 'preact';
import type { Video } from '../../../../packages/client/src/schemas';
import { type ListOrder, sortOf } from '../../components/column-sort';
import { PagedTable } from '../../components/paged-table';
import type { Column } from '../../components/table';
import { Timestamp } from '../../components/timestamp';
import { bytesOf, countOf, numberOf } from '../../kernel/format';
import { isMe } from '../../kernel/permissions';
import type { Pages } from '../../kernel/use-pages';
import { mayManage } from '../may-manage';
import { OwnerName } from '../owner-name';
import { channelPath, videoPath, watchPath } from '../paths';
import { lengthText } from '../player/clock-text';
import { VideoState } from '../video-state';

const lengthOf = ({ durationMilliseconds }: Video): string =>
  durationMilliseconds === null ? '—' : lengthText(durationMilliseconds);

const Owner = ({ ownerId }: Pick<Video, 'ownerId'>) =>
  isMe(ownerId) ? (
    <>You</>
  ) : (
    <a href={channelPath(ownerId)}>
      <OwnerName ownerId={ownerId} />
    </a>
  );

/** Its room is there before the picture is, and where there is none. */
const Thumbnail = ({ video: { thumbnailUrl } }: { readonly video: Video }) => (
  <span class="listed-thumbnail">
    {thumbnailUrl !== null && <img src={thumbnailUrl} alt="" loading="lazy" decoding="async" />}
  </span>
);

const sizes: Column<Video> = {
  title: 'Size',
  kind: 'number',
  isWide: true,
  show: ({ fileSize }) => bytesOf(fileSize),
};

interface Options {
  readonly order: ListOrder;
  readonly hasOwners?: boolean;
  /** Of sources. */
  readonly hasSizes?: boolean;
}

const columnsOf = ({ order, hasOwners = false, hasSizes = false }: Options): readonly Column<Video>[] => [
  {
    title: 'Video',
    sort: sortOf(order, 'title', 'asc'),
    show: (video) => (
      <div class="listed-video">
        <Thumbnail video={video} />
        <div>
          <a href={mayManage(video) ? videoPath(video.videoId) : watchPath(video.videoId)}>
            {video.title ?? 'Untitled'}
          </a>
          <div class="below narrow dotted">
            {hasOwners && (
              <span>
                <OwnerName ownerId={video.ownerId} />
              </span>
            )}
            <span>{countOf(video.views, 'view')}</span>
            <Timestamp at={video.createdAt} />
          </div>
        </div>
      </div>
    ),
  },
  { title: 'State', show: (video) => <VideoState video={video} /> },
  ...(hasOwners ? [{ title: 'Owner', isWide: true, show: Owner } satisfies Column<Video>] : []),
  { title: 'Views', kind: 'number', isWide: true, sort: sortOf(order, 'views'), show: ({ views }) => numberOf(views) },
  { title: 'Length', kind: 'number', isWide: true, sort: sortOf(order, 'length'), show: lengthOf },
  ...(hasSizes ? [sizes] : []),
  {
    title: 'Created',
    kind: 'tight',
    isWide: true,
    sort: sortOf(order, 'created'),
    show: ({ createdAt }) => <Timestamp at={createdAt} />,
  },
];

interface Props extends Options {
  readonly pages: Pages<Video>;
  readonly actions?: Column<Video>;
  readonly empty: ComponentChildren;
}

export const VideoTable = ({ pages, actions, empty, ...options }: Props) => (
  <PagedTable
    pages={pages}
    label="Videos"
    one="video"
    columns={[...columnsOf(options), ...(actions === undefined ? [] : [actions])]}
    keyOf={({ videoId }) => videoId}
    empty={empty}
  />
);
