/** The reader’s series of videos, and the making of another one. */
import { useState } from 'preact/hooks';
import { createVideoSeries, listVideoSeries } from '../../../../packages/client/src/operations';
import type { VideoSeries } from '../../../../packages/client/src/schemas';
import { EmptyState } from '../../components/empty-state';
import { PageHeading } from '../../components/page-heading';
import { PagedTable } from '../../components/paged-table';
import type { Column } from '../../components/table';
import { Timestamp } from '../../components/timestamp';
import { countOf } from '../../kernel/format';
import { hasScope } from '../../kernel/permissions';
import { usePages } from '../../kernel/use-pages';
import { seriesPath, videosPath } from '../paths';
import { TitleDialog } from './title-dialog';

const everyMilliseconds = 5_000;

const columns: readonly Column<VideoSeries>[] = [
  { title: 'Series', show: ({ seriesId, title }) => <a href={seriesPath(seriesId)}>{title ?? 'Untitled'}</a> },
  { title: 'Episodes', kind: 'number', show: ({ videoIds }) => countOf(videoIds.length, 'episode') },
  { title: 'Created', kind: 'tight', isWide: true, show: ({ createdAt }) => <Timestamp at={createdAt} /> },
];

export const SeriesListPage = () => {
  const series = usePages(listVideoSeries({ limit: 50 }), { everyMilliseconds });
  const [isCreating, setCreating] = useState(false);
  return (
    <>
      <PageHeading
        title="Series"
        lead="Your videos in the order in which they are played: the next one follows by itself."
        trail={[{ label: 'Videos', path: videosPath }]}
      >
        {hasScope('videos:write') && (
          <button type="button" class="button primary" onClick={() => setCreating(true)}>
            Create a series
          </button>
        )}
      </PageHeading>
      <PagedTable
        pages={series}
        label="Series"
        one="series"
        many="series"
        columns={columns}
        keyOf={({ seriesId }) => seriesId}
        empty={<EmptyState title="No series yet">Create one, and add videos of yours as its episodes.</EmptyState>}
      />
      {isCreating && (
        <TitleDialog
          heading="Create a series"
          act="Create"
          success="The series was created."
          title=""
          command={(title) => createVideoSeries({ body: { title } })}
          onDone={series.reload}
          close={() => setCreating(false)}
        />
      )}
    </>
  );
};
