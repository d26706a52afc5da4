/** The channel of one owner: what the reader may see of their videos. */
import { listVideos } from '../../../../packages/client/src/operations';
import { EmptyState } from '../../components/empty-state';
import { FilterField } from '../../components/filter-field';
import { PageHeading } from '../../components/page-heading';
import { fromAddress, useFilterInput } from '../../kernel/use-filter-input';
import { usePages } from '../../kernel/use-pages';
import type { PageProps } from '../../shell/section';
import { useOwnerName } from '../owner-name';
import { channelPath, videosPath } from '../paths';
import { VideoTable } from './video-table';

const everyMilliseconds = 15_000;

export const ChannelPage = ({ params: { ownerId = '' }, query }: PageProps) => {
  const name = useOwnerName(ownerId);
  const { applied, typed, type } = useFilterInput(channelPath(ownerId), query, ['title', 'sort', 'direction']);
  const { sort, direction } = applied;
  const title = applied.title.trim();
  const request = listVideos(fromAddress({ ownerId, title, sort, direction, limit: 50 }));
  const videos = usePages(request, { everyMilliseconds });
  const onSort = (by: string, towards: string): void => {
    type('sort', by);
    type('direction', towards);
  };
  return (
    <>
      <PageHeading
        title={name}
        lead="Videos of this owner that you may watch."
        trail={[{ label: 'Videos', path: videosPath }]}
      />
      <search class="filters library-filters">
        <FilterField label="Title" value={typed.title} onType={(wanted) => type('title', wanted)} isSearch />
      </search>
      <VideoTable
        pages={videos}
        order={{ sort, direction, onSort }}
        empty={
          title === '' ? (
            <EmptyState title="No video here for you">
              What this owner shares with you, with the tenant or with everyone is listed here.
            </EmptyState>
          ) : (
            <EmptyState title="No video has this in its title">Type less of it.</EmptyState>
          )
        }
      />
    </>
  );
};
