/** Files of a list: what each is called, how far it is, and what can be done with it, or with all that are selected. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { trashFile } from '../../../../packages/client/src/operations';
import type { FileItem } from '../../../../packages/client/src/schemas';
import { type ListOrder, sortOf } from '../../components/column-sort';
import { PagedTable } from '../../components/paged-table';
import { StatusBadge } from '../../components/status-badge';
import type { Column } from '../../components/table';
import { Timestamp } from '../../components/timestamp';
import { RowButton } from '../../identity/shared/action-dialog';
import { bytesOf, countOf } from '../../kernel/format';
import type { Pages } from '../../kernel/use-pages';
import { Person } from '../../references/person';
import { FileState, isSettled, nameOf } from '../labels';
import { filePath, fileViewPath, folderPath } from '../paths';
import { mayChange } from '../roles';
import { EachDialog } from '../selection/each-dialog';
import { SelectAll, SelectionBar, SelectRow } from '../selection/selection-boxes';
import { type Selection, useSelection } from '../selection/use-selection';
import { BrokenOff, isBrokenOff } from '../upload/broken-off';
import { MoveDialog, MoveEachDialog } from './move-dialog';
import { TrashDialog } from './trash-dialog';

const sizeOf = ({ sizeBytes }: FileItem): string => (sizeBytes === null ? '—' : bytesOf(sizeBytes));

const Processing = ({ file }: { readonly file: FileItem }) => {
  const { fileId, status, progressPercent, errorDetail, filename } = file;
  const isBroken = status === 'UPLOADING' && isBrokenOff(fileId);
  return (
    <div class="file-state">
      {isBroken ? <StatusBadge tone="warn">broken off</StatusBadge> : <FileState status={status} />}
      {!isSettled(status) && progressPercent !== undefined && (
        <progress max={100} value={progressPercent} aria-label={`Processing of ${nameOf(filename)}`} />
      )}
      {errorDetail !== null && <div class="below">{errorDetail}</div>}
      {isBroken && <BrokenOff fileId={fileId} />}
    </div>
  );
};

/** Of a search, which finds files in many folders. */
export type PlaceLabel = (folderId: string) => string | undefined;

const Place = ({ folderId, labelOf }: { readonly folderId: string | null; readonly labelOf: PlaceLabel }) => {
  const label = folderId === null ? undefined : labelOf(folderId);
  if (folderId === null || label === undefined) return null;
  return (
    <div class="below">
      In <a href={folderPath(folderId)}>{label}</a>
    </div>
  );
};

interface ColumnOptions {
  readonly selection: Selection;
  readonly order: ListOrder;
  readonly labelOf: PlaceLabel | undefined;
  readonly maySelect: boolean;
}

const columnsOf = ({ selection, order, labelOf, maySelect }: ColumnOptions): readonly Column<FileItem>[] => [
  {
    title: 'File',
    sort: sortOf(order, 'name', 'asc'),
    ...(maySelect ? { before: <SelectAll selection={selection} of="files" /> } : {}),
    show: (file) => (
      <div class={maySelect ? 'selectable' : undefined}>
        {maySelect && <SelectRow selection={selection} id={file.fileId} name={nameOf(file.filename)} />}
        <div>
          <a href={filePath(file.fileId)} class="file-name">
            {nameOf(file.filename)}
          </a>
          {labelOf !== undefined && <Place folderId={file.parentFolderId} labelOf={labelOf} />}
          <div class="below narrow dotted">
            <span>{sizeOf(file)}</span>
            <Timestamp at={file.updatedAt} />
          </div>
          <div class="narrow">
            <Processing file={file} />
          </div>
        </div>
      </div>
    ),
  },
  { title: 'State', isWide: true, show: (file) => <Processing file={file} /> },
  { title: 'Owner', isWide: true, show: ({ ownerId }) => <Person id={ownerId} /> },
  { title: 'Size', kind: 'number', isWide: true, sort: sortOf(order, 'size'), show: sizeOf },
  {
    title: 'Changed',
    kind: 'tight',
    isWide: true,
    sort: sortOf(order, 'changed'),
    show: ({ updatedAt }) => <Timestamp at={updatedAt} />,
  },
];

type Change = { readonly kind: 'move' | 'trash'; readonly file: FileItem };

const actionsOf = (open: (change: Change) => void): Column<FileItem> => ({
  title: 'Actions',
  kind: 'tight',
  show: (file) => {
    const name = nameOf(file.filename);
    return (
      <div class="actions file-actions">
        {file.currentVersionId !== null && (
          <a class="button small" href={fileViewPath(file.fileId)}>
            Open<span class="hidden-text"> {name}</span>
          </a>
        )}
        {mayChange(file.role) && (
          <>
            <RowButton label="Move" what={name} onPress={() => open({ kind: 'move', file })} />
            <RowButton label="Trash" what={name} isDangerous onPress={() => open({ kind: 'trash', file })} />
          </>
        )}
      </div>
    );
  },
});

interface EachProps {
  readonly files: readonly FileItem[];
  readonly onDone: () => void;
  readonly close: () => void;
}

const TrashEachDialog = ({ files, onDone, close }: EachProps) => (
  <EachDialog
    title={`Move ${countOf(files.length, 'file')} to the trash?`}
    act="Move to trash"
    isDangerous
    done="moved to the trash"
    one="file"
    items={files.map(({ fileId, filename }) => ({
      ...{ id: fileId, name: nameOf(filename) },
      command: trashFile({ fileId }),
    }))}
    onDone={onDone}
    close={close}
  >
    <p>Nobody finds them until they are restored. After thirty days in the trash they are deleted for ever.</p>
  </EachDialog>
);

interface Props {
  readonly pages: Pages<FileItem>;
  readonly empty: ComponentChildren;
  readonly order: ListOrder;
  /** Where files of several folders are listed. */
  readonly labelOf?: PlaceLabel | undefined;
}

export const FileTable = ({ pages, empty, order, labelOf }: Props) => {
  const [change, setChange] = useState<Change>();
  const [each, setEach] = useState<'move' | 'trash'>();
  const items = pages.items ?? [];
  const selectable = items.filter(({ role }) => mayChange(role));
  const selection = useSelection(selectable.map(({ fileId }) => fileId));
  const selected = selectable.filter(({ fileId }) => selection.ids.has(fileId));
  const close = (): void => {
    setChange(undefined);
    setEach(undefined);
  };
  const columns = columnsOf({ selection, order, labelOf, maySelect: selectable.length > 0 });
  return (
    <>
      <SelectionBar selection={selection} one="file">
        <button type="button" class="button small" onClick={() => setEach('move')}>
          Move<span class="hidden-text"> the selected files</span>
        </button>
        <button type="button" class="button small danger" onClick={() => setEach('trash')}>
          Trash<span class="hidden-text"> the selected files</span>
        </button>
      </SelectionBar>
      <PagedTable
        pages={pages}
        label="Files"
        one="file"
        columns={[...columns, actionsOf(setChange)]}
        keyOf={({ fileId }) => fileId}
        empty={empty}
      />
      {each === 'move' && <MoveEachDialog files={selected} onDone={pages.reload} close={close} />}
      {each === 'trash' && <TrashEachDialog files={selected} onDone={pages.reload} close={close} />}
      {change?.kind === 'move' && (
        <MoveDialog
          what={{
            kind: 'file',
            id: change.file.fileId,
            name: nameOf(change.file.filename),
            folderId: change.file.parentFolderId,
          }}
          onDone={pages.reload}
          close={close}
        />
      )}
      {change?.kind === 'trash' && (
        <TrashDialog
          kind="file"
          id={change.file.fileId}
          name={nameOf(change.file.filename)}
          onDone={pages.reload}
          close={close}
        />
      )}
    </>
  );
};
