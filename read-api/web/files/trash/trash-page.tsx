/** The trash: files and folders that the reader may restore; owners delete them for ever, one, several, or all. */
import { useState } from 'preact/hooks';
import { listFileFolders, listFiles } from '../../../../packages/client/src/operations';
import type { FileFolder, FileItem } from '../../../../packages/client/src/schemas';
import { EmptyState } from '../../components/empty-state';
import { PageHeading } from '../../components/page-heading';
import { PagedTable } from '../../components/paged-table';
import { ProblemMessage } from '../../components/problem-message';
import type { Column } from '../../components/table';
import { Timestamp } from '../../components/timestamp';
import { RowButton } from '../../identity/shared/action-dialog';
import { countOf } from '../../kernel/format';
import type { Problem } from '../../kernel/problem';
import { navigate } from '../../kernel/router';
import { showToast } from '../../kernel/toasts';
import { useCommand } from '../../kernel/use-command';
import { usePages } from '../../kernel/use-pages';
import { Person } from '../../references/person';
import { DeleteDialog } from '../file/file-actions';
import { deletionPath, fileDeletionsPath, filesPath } from '../paths';
import { mayChange, mayDispose } from '../roles';
import { EachDialog } from '../selection/each-dialog';
import { SelectAll, SelectionBar, SelectRow } from '../selection/selection-boxes';
import { type Selection, useSelection } from '../selection/use-selection';
import { EmptyTrashDialog } from './empty-trash-dialog';
import { deletionOf, isFile, nounOf, restoreOf, type Trashed, trashedId, trashedName } from './trashed';

const since = (trashedAt: string | null | undefined) =>
  trashedAt === null || trashedAt === undefined ? '—' : <Timestamp at={trashedAt} />;

const Named = ({ one, selection }: { readonly one: Trashed; readonly selection: Selection }) => (
  <div class="selectable">
    <SelectRow selection={selection} id={trashedId(one)} name={trashedName(one)} />
    <div>
      <span class="file-name">{trashedName(one)}</span>
      <div class="below narrow">{since(one.trashedAt)}</div>
    </div>
  </div>
);

const ownerColumn = {
  title: 'Owner',
  isWide: true,
  show: ({ ownerId }: { readonly ownerId: string }) => <Person id={ownerId} />,
};
const sinceColumn = {
  title: 'In the trash',
  kind: 'tight' as const,
  isWide: true,
  show: ({ trashedAt }: { readonly trashedAt?: string | null }) => since(trashedAt),
};

type Open =
  | { readonly kind: 'file'; readonly file: FileItem }
  | { readonly kind: 'restore' | 'delete'; readonly what: readonly Trashed[] }
  | { readonly kind: 'empty' };

const DeleteEachDialog = (props: {
  readonly what: readonly Trashed[];
  readonly onDone: () => void;
  readonly close: () => void;
}) => {
  const { what, onDone, close } = props;
  const one = nounOf(what);
  return (
    <EachDialog
      title={`Delete ${countOf(what.length, one)} for ever?`}
      act="Delete for ever"
      isDangerous
      done="deleted for ever"
      one={one}
      items={what.map(deletionOf)}
      onDone={onDone}
      close={close}
    >
      <p>
        <strong>{what.map(trashedName).slice(0, 5).join(', ')}</strong>
        {what.length > 5 && ` and ${what.length - 5} more`}
        {what.every(isFile) ? ', with all versions' : ', with all files and folders in it'} and all that was read of
        them. Nobody can bring them back. What is under a legal hold stays, and is named.
      </p>
    </EachDialog>
  );
};

export const TrashPage = () => {
  const files = usePages(listFiles({ trashed: 'true', limit: 50 }));
  const folders = usePages(listFileFolders({ trashed: 'true', limit: 50 }));
  const [open, setOpen] = useState<Open>();
  const [problem, setProblem] = useState<Problem>();
  const send = useCommand();
  const reload = (): void => {
    files.reload();
    folders.reload();
  };
  const restore = async (one: Trashed): Promise<void> => {
    const answer = await send(restoreOf(one).command);
    setProblem(answer.ok ? undefined : answer.problem);
    if (!answer.ok) return;
    showToast(isFile(one) ? 'The file was restored.' : 'The folder was restored.');
    reload();
  };
  const restoreButton = (one: Trashed) =>
    mayChange(one.role) && <RowButton label="Restore" what={trashedName(one)} onPress={() => void restore(one)} />;
  const ofFiles = useSelection((files.items ?? []).map(trashedId));
  const ofFolders = useSelection((folders.items ?? []).map(trashedId));
  const fileColumns: readonly Column<FileItem>[] = [
    {
      title: 'File',
      before: <SelectAll selection={ofFiles} of="files" />,
      show: (file) => <Named one={file} selection={ofFiles} />,
    },
    ownerColumn,
    sinceColumn,
    {
      title: 'Actions',
      kind: 'tight',
      show: (file) => (
        <div class="actions file-actions">
          {restoreButton(file)}
          {mayDispose(file.role) && (
            <RowButton
              label="Delete for ever"
              what={trashedName(file)}
              isDangerous
              onPress={() => setOpen({ kind: 'file', file })}
            />
          )}
        </div>
      ),
    },
  ];
  const folderColumns: readonly Column<FileFolder>[] = [
    {
      title: 'Folder',
      before: <SelectAll selection={ofFolders} of="folders" />,
      show: (folder) => <Named one={folder} selection={ofFolders} />,
    },
    ownerColumn,
    sinceColumn,
    {
      title: 'Actions',
      kind: 'tight',
      show: (folder) => (
        <div class="actions file-actions">
          {restoreButton(folder)}
          {mayDispose(folder.role) && (
            <RowButton
              label="Delete for ever"
              what={trashedName(folder)}
              isDangerous
              onPress={() => setOpen({ kind: 'delete', what: [folder] })}
            />
          )}
        </div>
      ),
    },
  ];
  const isEmpty = files.items?.length === 0 && folders.items?.length === 0;
  const bar = (selection: Selection, all: readonly Trashed[] | undefined, one: string) => {
    const selected = (all ?? []).filter((item) => selection.ids.has(trashedId(item)));
    const mayDelete = selected.every(({ role }) => mayDispose(role));
    return (
      <SelectionBar selection={selection} one={one}>
        <button type="button" class="button small" onClick={() => setOpen({ kind: 'restore', what: selected })}>
          Restore<span class="hidden-text"> the selected {one}s</span>
        </button>
        {mayDelete && (
          <button type="button" class="button small danger" onClick={() => setOpen({ kind: 'delete', what: selected })}>
            Delete for ever<span class="hidden-text"> the selected {one}s</span>
          </button>
        )}
      </SelectionBar>
    );
  };
  const close = (): void => setOpen(undefined);
  return (
    <>
      <PageHeading
        title="Trash"
        lead="Nobody finds what lies here until it is restored. After thirty days it is deleted for ever, unless it is under a legal hold."
        trail={[{ label: 'Files', path: filesPath }]}
      >
        <a class="button" href={fileDeletionsPath}>
          Deletions
        </a>
        {!isEmpty && (
          <button type="button" class="button danger" onClick={() => setOpen({ kind: 'empty' })}>
            Empty the trash
          </button>
        )}
      </PageHeading>
      {problem !== undefined && <ProblemMessage problem={problem} />}
      {isEmpty ? (
        <EmptyState title="The trash is empty">
          Files and folders that you move to the trash wait here until you restore them. After thirty days they are
          deleted for ever.
        </EmptyState>
      ) : (
        <>
          <section class="section" aria-label="Folders">
            {bar(ofFolders, folders.items, 'folder')}
            <PagedTable
              pages={folders}
              label="Folders in the trash"
              one="folder"
              columns={folderColumns}
              keyOf={({ folderId }) => folderId}
              empty={null}
              rows={1}
            />
          </section>
          <section class="section" aria-label="Files">
            {bar(ofFiles, files.items, 'file')}
            <PagedTable
              pages={files}
              label="Files in the trash"
              one="file"
              columns={fileColumns}
              keyOf={({ fileId }) => fileId}
              empty={null}
              rows={2}
            />
          </section>
        </>
      )}
      {open?.kind === 'file' && (
        <DeleteDialog
          fileId={open.file.fileId}
          name={trashedName(open.file)}
          isInTrash
          onDone={() => navigate(deletionPath(open.file.fileId))}
          close={close}
        />
      )}
      {open?.kind === 'delete' && <DeleteEachDialog what={open.what} onDone={reload} close={close} />}
      {open?.kind === 'restore' && (
        <EachDialog
          title={`Restore ${countOf(open.what.length, nounOf(open.what))}`}
          act="Restore"
          done="restored"
          one={nounOf(open.what)}
          items={open.what.map(restoreOf)}
          onDone={reload}
          close={close}
        >
          <p>They return to where they were, with versions and what they are shared with.</p>
        </EachDialog>
      )}
      {open?.kind === 'empty' && <EmptyTrashDialog onDone={reload} close={close} />}
    </>
  );
};
