/** Deletions of the reader’s files, the newest first; administrators see all of the tenant. */
import { listFileDeletions } from '../../../../packages/client/src/operations';
import type { FileDeletion } from '../../../../packages/client/src/schemas';
import { EmptyState } from '../../components/empty-state';
import { PageHeading } from '../../components/page-heading';
import { PagedTable } from '../../components/paged-table';
import type { Column } from '../../components/table';
import { Timestamp } from '../../components/timestamp';
import { hasScope } from '../../kernel/permissions';
import { usePages } from '../../kernel/use-pages';
import { shortId } from '../../references/short-id';
import { deletionPath, filesPath, trashPath } from '../paths';
import { causeText } from './causes';
import { DeletionState } from './steps';

const everyMilliseconds = 5_000;

const doneOf = ({ steps }: FileDeletion): string =>
  `${steps.filter(({ status }) => status === 'DONE').length} of ${steps.length}`;

const begun = ({ begunAt }: FileDeletion) => (begunAt === null ? '—' : <Timestamp at={begunAt} />);

const columns: readonly Column<FileDeletion>[] = [
  {
    title: 'File',
    show: (deletion) => (
      <>
        <a class="mono" href={deletionPath(deletion.fileId)} title={deletion.fileId}>
          {shortId(deletion.fileId)}
        </a>
        <div class="below narrow">{begun(deletion)}</div>
      </>
    ),
  },
  {
    title: 'State',
    show: (deletion) => (
      <>
        <DeletionState deletion={deletion} />
        {deletion.failure !== null && <div class="below">{deletion.failure}</div>}
      </>
    ),
  },
  { title: 'Steps done', kind: 'tight', show: doneOf },
  { title: 'Why', isWide: true, show: ({ cause }) => causeText(cause) },
  { title: 'Begun', kind: 'tight', isWide: true, show: begun },
];

export const DeletionListPage = () => {
  const deletions = usePages(listFileDeletions({ limit: 50 }), { everyMilliseconds });
  return (
    <>
      <PageHeading
        title="Deletions"
        lead={
          hasScope('files:admin')
            ? 'Files of the tenant that were deleted for ever, by their ids: names are gone with them.'
            : 'Your files that were deleted for ever, by their ids: names are gone with them.'
        }
        trail={[
          { label: 'Files', path: filesPath },
          { label: 'Trash', path: trashPath },
        ]}
      />
      <PagedTable
        pages={deletions}
        label="Deletions"
        one="deletion"
        columns={columns}
        keyOf={({ fileId }) => fileId}
        empty={
          <EmptyState title="No file was deleted for ever">
            What is deleted for ever is removed from every store, step by step, which is shown here.
          </EmptyState>
        }
      />
    </>
  );
};
