/** Videos: one’s own with their states, shared and public ones; and the upload of another one. */
import { useState } from 'preact/hooks';
import { listVideos } from '../../../../packages/client/src/operations';
import type { Video } from '../../../../packages/client/src/schemas';
import { type DroppedFiles, DropZone } from '../../components/drop-zone';
import { EmptyState } from '../../components/empty-state';
import { FilterField } from '../../components/filter-field';
import { ChoiceField, type Option } from '../../components/form-fields';
import { PageHeading } from '../../components/page-heading';
import type { Column } from '../../components/table';
import { RowButton } from '../../identity/shared/action-dialog';
import { hasScope } from '../../kernel/permissions';
import { showToast } from '../../kernel/toasts';
import { fromAddress, useFilterInput } from '../../kernel/use-filter-input';
import { usePages } from '../../kernel/use-pages';
import type { PageProps } from '../../shell/section';
import { videosPath } from '../paths';
import { VideoUploads } from '../upload/video-upload-list';
import { addVideoUploads } from '../upload/video-uploads';
import { stateOptions } from '../video-state';
import { AbortDialog } from './abort-dialog';
import { VideoTable } from './video-table';

const everyMilliseconds = 5_000;

const whichOptions = (): readonly Option<string>[] => [
  { value: '', label: 'Yours' },
  { value: 'shared', label: 'Shared with you' },
  { value: 'public', label: 'Public' },
  ...(hasScope('videos:admin') ? [{ value: 'all', label: 'Everyone’s' }] : []),
];

interface Filters {
  readonly which: string;
  readonly status: string;
  readonly title: string;
}

const placeOf = (which: string) => (which === 'all' ? { all: 'true' } : { ownership: which });

const emptyOf = ({ which, status, title }: Filters) => {
  if (title !== '')
    return <EmptyState title="No video has this in its title">Type less of it, or choose others to show.</EmptyState>;
  if (status !== '')
    return <EmptyState title="No video has this state">Choose another state, or any, to see more.</EmptyState>;
  if (which === 'shared')
    return (
      <EmptyState title="Nothing is shared with you">
        Others share a video with you by name, or with everyone in the tenant, on its page.
      </EmptyState>
    );
  if (which === 'public')
    return <EmptyState title="No video is public">A video’s page says who may watch it.</EmptyState>;
  return (
    <EmptyState title="No video yet">
      Films of up to 10 GB are taken. Choose some above, or drop them on this page.
    </EmptyState>
  );
};

const uploadDropped = ({ files, folders }: DroppedFiles): void => {
  addVideoUploads(files);
  for (const name of folders) showToast(`${name} is a folder. Open it and drop the films in it.`);
};

const actionsOf = (abort: (video: Video) => void): Column<Video> => ({
  title: 'Actions',
  kind: 'tight',
  show: (video) =>
    video.status === 'uploading' && hasScope('videos:write') ? (
      <RowButton label="Abort" what={video.title ?? 'the upload'} isDangerous onPress={() => abort(video)} />
    ) : null,
});

export const LibraryPage = ({ query }: PageProps) => {
  const { applied, typed, type } = useFilterInput(videosPath, query, ['which', 'status', 'title', 'sort', 'direction']);
  const { which, status, sort, direction } = applied;
  const title = applied.title.trim();
  const isOffer = which === 'shared' || which === 'public';
  const filters = { status: isOffer ? '' : status, title, sort, direction };
  const videos = usePages(listVideos(fromAddress({ ...placeOf(which), ...filters, limit: 50 })), { everyMilliseconds });
  const [aborted, setAborted] = useState<Video>();
  const onSort = (by: string, towards: string): void => {
    type('sort', by);
    type('direction', towards);
  };
  return (
    <DropZone onDrop={hasScope('videos:write') ? uploadDropped : undefined} note="Drop the films to upload them.">
      <PageHeading title="Videos" lead="An upload that breaks off continues where it was, also after a reload." />
      {hasScope('videos:write') && <VideoUploads />}
      <search class="filters library-filters">
        <FilterField label="Title" value={typed.title} onType={(wanted) => type('title', wanted)} isSearch />
        <ChoiceField
          label="Show"
          value={typed.which}
          options={whichOptions()}
          onChoose={(wanted) => type('which', wanted)}
        />
        {!isOffer && (
          <ChoiceField
            label="State"
            value={typed.status}
            options={[{ value: '', label: 'Any' }, ...stateOptions]}
            onChoose={(wanted) => type('status', wanted)}
          />
        )}
      </search>
      <VideoTable
        pages={videos}
        order={{ sort, direction, onSort }}
        hasOwners={which !== ''}
        hasSizes={which === ''}
        {...(isOffer ? {} : { actions: actionsOf(setAborted) })}
        empty={emptyOf({ which, status: filters.status, title })}
      />
      {aborted !== undefined && (
        <AbortDialog video={aborted} onDone={videos.reload} close={() => setAborted(undefined)} />
      )}
    </DropZone>
  );
};
