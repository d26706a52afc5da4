/** One series: its title and its episodes. */
import { useState } from 'preact/hooks';
import { deleteVideoSeries, listVideoSeries, renameVideoSeries } from '../../../../packages/client/src/operations';
import type { VideoSeries } from '../../../../packages/client/src/schemas';
import { AsyncContent } from '../../components/async-content';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { EmptyState } from '../../components/empty-state';
import { PageHeading } from '../../components/page-heading';
import { hasScope } from '../../kernel/permissions';
import { navigate } from '../../kernel/router';
import { useCommand } from '../../kernel/use-command';
import { useResource } from '../../kernel/use-resource';
import type { PageProps } from '../../shell/section';
import { seriesListPath, videosPath } from '../paths';
import { Episodes } from './episodes';
import { TitleDialog } from './title-dialog';

const everyMilliseconds = 5_000;

const DeleteDialog = ({
  series: { seriesId, title },
  close,
}: {
  readonly series: VideoSeries;
  readonly close: () => void;
}) => {
  const send = useCommand();
  const carryOut = async () => {
    const answer = await send(deleteVideoSeries({ seriesId }));
    if (!answer.ok) return answer.problem;
    navigate(seriesListPath);
    return undefined;
  };
  return (
    <ConfirmDialog
      title="Delete the series?"
      act="Delete"
      isDangerous
      success="The series is deleted."
      onAct={carryOut}
      close={close}
    >
      <p>
        <strong>{title ?? 'The series'}</strong>. Its videos stay, and none follows another by itself.
      </p>
    </ConfirmDialog>
  );
};

export const SeriesPage = ({ params: { seriesId = '' } }: PageProps) => {
  // An owner has no more of them than fit this page.
  const all = useResource(listVideoSeries({ limit: 200 }), { everyMilliseconds });
  const [open, setOpen] = useState<'rename' | 'delete'>();
  const series = all.content?.items.find((one) => one.seriesId === seriesId);
  const close = (): void => setOpen(undefined);
  return (
    <>
      <PageHeading
        title={series?.title ?? 'Series'}
        trail={[
          { label: 'Videos', path: videosPath },
          { label: 'Series', path: seriesListPath },
        ]}
      >
        {series !== undefined && hasScope('videos:write') && (
          <>
            <button type="button" class="button" onClick={() => setOpen('rename')}>
              Rename
            </button>
            <button type="button" class="button danger" onClick={() => setOpen('delete')}>
              Delete
            </button>
          </>
        )}
      </PageHeading>
      <AsyncContent source={all} rows={3}>
        {() =>
          series === undefined ? (
            <EmptyState title="No such series">It is deleted, or another’s.</EmptyState>
          ) : (
            <Episodes series={series} onDone={all.reload} />
          )
        }
      </AsyncContent>
      {open === 'rename' && series !== undefined && (
        <TitleDialog
          heading="Rename the series"
          act="Rename"
          success="The series was renamed."
          title={series.title ?? ''}
          command={(title) => renameVideoSeries({ seriesId, body: { title } })}
          onDone={all.reload}
          close={close}
        />
      )}
      {open === 'delete' && series !== undefined && <DeleteDialog series={series} close={close} />}
    </>
  );
};
