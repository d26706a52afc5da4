/** Files and folders whose owner is suspended or compromised: administrators hand them over, one or several, by their ids. */
import { useState } from 'preact/hooks';
import { changeFileFolderOwner, changeFileOwner, listFileOrphans } from '../../../../packages/client/src/operations';
import type { FileOrphan } from '../../../../packages/client/src/schemas';
import { EmptyState } from '../../components/empty-state';
import { PageHeading } from '../../components/page-heading';
import { PagedTable } from '../../components/paged-table';
import { StatusBadge } from '../../components/status-badge';
import type { Column } from '../../components/table';
import { Timestamp } from '../../components/timestamp';
import { RowButton } from '../../identity/shared/action-dialog';
import { bytesOf, countOf } from '../../kernel/format';
import { type Pages, usePages } from '../../kernel/use-pages';
import { Person } from '../../references/person';
import { PersonField, personIdOf, usePerson } from '../../references/person-field';
import { shortId } from '../../references/short-id';
import { filePath, filesPath } from '../paths';
import { EachDialog } from '../selection/each-dialog';
import { SelectAll, SelectionBar, SelectRow } from '../selection/selection-boxes';
import { type Selection, useSelection } from '../selection/use-selection';

type Kind = 'file' | 'folder';

const idOf = ({ fileId, folderId }: FileOrphan): string => fileId ?? folderId ?? '';

const fileColumns: readonly Column<FileOrphan>[] = [
  {
    title: 'Size',
    kind: 'number',
    isWide: true,
    show: ({ sizeBytes }) => (sizeBytes === null ? '—' : bytesOf(sizeBytes)),
  },
  {
    title: 'Created',
    kind: 'tight',
    isWide: true,
    show: ({ createdAt }) => (createdAt === null ? '—' : <Timestamp at={createdAt} />),
  },
];

const columnsOf = (
  kind: Kind,
  selection: Selection,
  open: (one: FileOrphan) => void,
): readonly Column<FileOrphan>[] => [
  {
    title: kind === 'file' ? 'File' : 'Folder',
    before: <SelectAll selection={selection} of={`${kind}s`} />,
    show: (one) => (
      <div class="selectable">
        <SelectRow selection={selection} id={idOf(one)} name={`${kind} ${shortId(idOf(one))}`} />
        <div>
          {kind === 'file' ? (
            <a class="mono" href={filePath(idOf(one))} title={idOf(one)}>
              {shortId(idOf(one))}
            </a>
          ) : (
            <span class="mono" title={idOf(one)}>
              {shortId(idOf(one))}
            </span>
          )}{' '}
          {one.isTrashed && <StatusBadge>in the trash</StatusBadge>}
          <div class="below narrow">
            <Person id={one.ownerId} />
          </div>
        </div>
      </div>
    ),
  },
  { title: 'Owner', isWide: true, show: ({ ownerId }) => <Person id={ownerId} /> },
  ...(kind === 'file' ? fileColumns : []),
  {
    title: 'Actions',
    kind: 'tight',
    show: (one) => <RowButton label="Hand over" what={`${kind} ${shortId(idOf(one))}`} onPress={() => open(one)} />,
  },
];

interface HandOverProps {
  readonly kind: Kind;
  readonly what: readonly FileOrphan[];
  readonly onDone: () => void;
  readonly close: () => void;
}

const HandOverEachDialog = ({ kind, what, onDone, close }: HandOverProps) => {
  const [person, setPerson] = useState('');
  const search = usePerson(person, 'files');
  const ownerId = personIdOf(search);
  const body = { ownerId: ownerId ?? '' };
  return (
    <EachDialog
      title={`Hand ${countOf(what.length, kind)} over`}
      act="Hand over"
      done="handed over"
      one={kind}
      isReady={ownerId !== undefined}
      items={what.map((one) => ({
        ...{ id: idOf(one), name: shortId(idOf(one)) },
        command:
          kind === 'file'
            ? changeFileOwner({ fileId: idOf(one), body })
            : changeFileFolderOwner({ folderId: idOf(one), body }),
      }))}
      onDone={onDone}
      close={close}
    >
      <p>The new owner sees and may change {what.length === 1 ? 'it' : 'them'}. The log records that you did it.</p>
      <PersonField label="Name or id of the new owner" value={person} onType={setPerson} search={search} />
    </EachDialog>
  );
};

const Orphans = ({ kind, pages }: { readonly kind: Kind; readonly pages: Pages<FileOrphan> }) => {
  const [what, setWhat] = useState<readonly FileOrphan[]>();
  const items = pages.items ?? [];
  const selection = useSelection(items.map(idOf));
  return (
    <section class="section" aria-label={kind === 'file' ? 'Files' : 'Folders'}>
      <SelectionBar selection={selection} one={kind}>
        <button
          type="button"
          class="button small"
          onClick={() => setWhat(items.filter((one) => selection.ids.has(idOf(one))))}
        >
          Hand over<span class="hidden-text"> the selected {kind}s</span>
        </button>
      </SelectionBar>
      <PagedTable
        pages={pages}
        label={kind === 'file' ? 'Files without an owner' : 'Folders without an owner'}
        one={kind}
        columns={columnsOf(kind, selection, (one) => setWhat([one]))}
        keyOf={idOf}
        empty={null}
        rows={2}
      />
      {what !== undefined && (
        <HandOverEachDialog kind={kind} what={what} onDone={pages.reload} close={() => setWhat(undefined)} />
      )}
    </section>
  );
};

export const OrphansPage = () => {
  const files = usePages(listFileOrphans({ type: 'file', limit: 50 }));
  const folders = usePages(listFileOrphans({ type: 'folder', limit: 50 }));
  const isEmpty = files.items?.length === 0 && folders.items?.length === 0;
  return (
    <>
      <PageHeading
        title="Files without an owner"
        lead="Their owner is suspended or compromised. You see their ids; their names only people who have a role in them."
        trail={[{ label: 'Files', path: filesPath }]}
      />
      {isEmpty ? (
        <EmptyState title="Every file has an active owner">
          When a person is suspended, what they own is listed here, to be handed over to someone else.
        </EmptyState>
      ) : (
        <>
          <Orphans kind="folder" pages={folders} />
          <Orphans kind="file" pages={files} />
        </>
      )}
    </>
  );
};
