/** The library: folders and files, by folder or by what they are to the reader. Files are dropped here. */
import { useEffect, useState } from 'preact/hooks';
import {
  createFileFolder,
  getFileFolder,
  listFileFolders,
  listFiles,
} from '../../../../packages/client/src/operations';
import type { FileFolder, FileFolderWithPath } from '../../../../packages/client/src/schemas';
import { AsyncContent } from '../../components/async-content';
import { EmptyState } from '../../components/empty-state';
import { FilterField } from '../../components/filter-field';
import { ChoiceField, type Option } from '../../components/form-fields';
import { Guide } from '../../components/guide';
import { type Crumb, PageHeading } from '../../components/page-heading';
import { PagedTable } from '../../components/paged-table';
import type { Column } from '../../components/table';
import { Timestamp } from '../../components/timestamp';
import { navigate, withQuery } from '../../kernel/router';
import { fromAddress, useFilterInput } from '../../kernel/use-filter-input';
import { type Pages, usePages } from '../../kernel/use-pages';
import { useResource } from '../../kernel/use-resource';
import { Person } from '../../references/person';
import type { PageProps } from '../../shell/section';
import { isSettled, nameOf, statusOptions } from '../labels';
import { filesPath, fileUsagePath, folderPath, searchPath } from '../paths';
import { mayUploadInto } from '../roles';
import { FileDropZone, FilePicker } from '../upload/drop-zone';
import type { UploadTarget } from '../upload/file-upload-service';
import { UploadList } from '../upload/upload-list';
import { uploads } from '../upload/upload-queue';
import { FileTable } from './file-table';
import { FolderActions } from './folder-actions';
import { useFolderPlaces } from './folders';
import { NameDialog } from './name-dialog';

const whichOptions: readonly Option<string>[] = [
  { value: '', label: 'By folder' },
  { value: 'all', label: 'All files' },
  { value: 'own', label: 'Yours' },
  { value: 'shared', label: 'Shared with you' },
];

const processingMilliseconds = 1_500;
const quietMilliseconds = 10_000;

/** Changes with each upload that the server knows more of. */
const useUploadCount = (): number =>
  uploads.value.filter(({ fileId, state }) => fileId !== undefined || state.kind === 'done').length +
  uploads.value.filter(({ state }) => state.kind === 'done').length;

interface Filters {
  readonly folderId: string | undefined;
  readonly name: string;
  readonly sort: string;
  readonly direction: string;
  readonly which: string;
  readonly status: string;
}

/** A name is looked for in the folder and all folders in it. */
const placeOf = ({ folderId, name }: Filters) => {
  if (folderId === undefined) return name === '' ? { top: 'true' } : {};
  return name === '' ? { folderId } : { withinFolderId: folderId };
};

const useFiles = (filters: Filters) => {
  const { which, status, name, sort, direction } = filters;
  const [isBusy, setBusy] = useState(false);
  const filter = which === '' ? placeOf(filters) : { ownership: which === 'all' ? '' : which };
  const pages = usePages(listFiles(fromAddress({ ...filter, status, name, sort, direction, limit: 50 })), {
    everyMilliseconds: isBusy ? processingMilliseconds : quietMilliseconds,
  });
  const isProcessing = pages.items?.some((file) => !isSettled(file.status)) === true;
  useEffect(() => setBusy(isProcessing), [isProcessing]);
  const count = useUploadCount();
  useEffect(() => pages.reload(), [count]);
  return pages;
};

const folderColumns = (reload: () => void): readonly Column<FileFolder>[] => [
  {
    title: 'Folder',
    show: ({ folderId, name, createdAt }) => (
      <>
        <a href={folderPath(folderId)} class="file-name">
          {nameOf(name)}
        </a>
        {createdAt !== null && (
          <div class="below narrow">
            <Timestamp at={createdAt} />
          </div>
        )}
      </>
    ),
  },
  { title: 'Owner', isWide: true, show: ({ ownerId }) => <Person id={ownerId} /> },
  {
    title: 'Created',
    kind: 'tight',
    isWide: true,
    show: ({ createdAt }) => (createdAt === null ? '—' : <Timestamp at={createdAt} />),
  },
  {
    title: 'Actions',
    kind: 'tight',
    show: (folder) => (
      <div class="actions file-actions">
        <FolderActions folder={folder} isInRow onDone={reload} />
      </div>
    ),
  },
];

const Folders = ({ pages }: { readonly pages: Pages<FileFolder> }) =>
  pages.items?.length === 0 ? null : (
    <section class="section" aria-label="Folders">
      <PagedTable
        pages={pages}
        label="Folders"
        one="folder"
        columns={folderColumns(pages.reload)}
        keyOf={({ folderId }) => folderId}
        empty={null}
        rows={1}
      />
    </section>
  );

const noFiles = (mayUpload: boolean, isFolder: boolean) => (
  <EmptyState title={isFolder ? 'No files in this folder' : 'No files here yet'}>
    {mayUpload ? (
      <>
        Drop files anywhere on this page, or choose them with <strong>Upload files</strong>: PDF, Word, PowerPoint,
        Excel, CSV, Markdown, text, code, pictures, audio and video, up to 500 MB each. Each is read, page by page, and
        is then found by its words and by what it means.{' '}
      </>
    ) : (
      'What is uploaded or moved here is listed here. '
    )}
    {!isFolder && <Guide name="files" group="files" />}
  </EmptyState>
);

const emptyListOf = ({ which, status, name }: Filters, mayUpload: boolean, isFolder: boolean) => {
  if (name !== '')
    return (
      <EmptyState title="No file has this in its name">
        {isFolder ? 'This folder and all folders in it were searched. ' : 'All files that you see were searched. '}
        <a href={searchPath}>Search files</a> finds what stands in them.
      </EmptyState>
    );
  if (status !== '')
    return <EmptyState title="No file has this state">Choose another state, or any, to see more.</EmptyState>;
  if (which === 'shared')
    return (
      <EmptyState title="Nothing is shared with you">
        Others share a file or a folder with you, a group of yours, or everyone.
      </EmptyState>
    );
  return noFiles(mayUpload, isFolder);
};

/** As files: by name at any depth. */
const folderPlaceOf = ({ folderId, name }: Filters) => {
  if (name !== '') return folderId === undefined ? {} : { withinFolderId: folderId };
  return folderId === undefined ? { top: 'true' } : { parentFolderId: folderId };
};

const Lead = () => (
  <>
    Your files, and those that others share with you. <a href={fileUsagePath}>Storage used</a>
  </>
);

type OpenFolder = FileFolderWithPath | undefined;

const trailOf = (folder: OpenFolder): { readonly trail?: readonly Crumb[] } =>
  folder === undefined
    ? {}
    : {
        trail: [
          { label: 'Files', path: filesPath },
          ...folder.path.map(({ folderId, name }) => ({ label: nameOf(name), path: folderPath(folderId) })),
        ],
      };

interface LibraryProps {
  readonly folder: OpenFolder;
  readonly query: URLSearchParams;
  readonly reload: () => void;
}

const Library = ({ folder, query, reload }: LibraryProps) => {
  const folderId = folder?.folderId;
  const path = folderId === undefined ? filesPath : folderPath(folderId);
  const { applied, typed, type } = useFilterInput(path, query, ['which', 'status', 'name', 'sort', 'direction']);
  const [isCreating, setCreating] = useState(false);
  const name = applied.name.trim();
  const filters: Filters = { folderId, ...applied, name };
  const files = useFiles(filters);
  const { places } = useFolderPlaces(name !== '' || applied.which !== '');
  const labelOf = (id: string): string | undefined => places?.find(({ folder: one }) => one.folderId === id)?.label;
  const isByFolder = applied.which === '';
  const folders = usePages(
    isByFolder ? listFileFolders(fromAddress({ ...folderPlaceOf(filters), name, limit: 200 })) : undefined,
  );
  const mayUpload = mayUploadInto(folder?.role);
  const target: UploadTarget = { kind: 'file', folderId: folderId ?? null };
  const title = folder === undefined ? 'Files' : nameOf(folder.name);
  const sortBy = (sort: string, direction: string): void => {
    type('sort', sort);
    type('direction', direction);
  };
  const leave = (action: 'rename' | 'move' | 'trash'): void => {
    if (action !== 'trash') {
      reload();
      return;
    }
    const parent = folder?.path.at(-1)?.folderId;
    navigate(parent === undefined ? filesPath : folderPath(parent));
  };
  return (
    <FileDropZone target={mayUpload ? target : undefined} where={folder === undefined ? 'here' : `into ${title}`}>
      <PageHeading title={title} lead={folder === undefined ? <Lead /> : undefined} {...trailOf(folder)}>
        {folder !== undefined && (
          <a class="button" href={withQuery(searchPath, { folders: folder.folderId })}>
            Search in it
          </a>
        )}
        {folder !== undefined && <FolderActions folder={folder} onDone={leave} />}
        {mayUpload && (
          <>
            <button type="button" class="button" onClick={() => setCreating(true)}>
              Create a folder
            </button>
            <FilePicker label="Upload files" target={target} isPrimary />
          </>
        )}
      </PageHeading>
      <UploadList />
      <search class="filters library-filters">
        <FilterField
          label={folder === undefined ? 'Name' : 'Name, here and in folders below'}
          value={typed.name}
          onType={(wanted) => type('name', wanted)}
          isSearch
        />
        <ChoiceField
          label="Show"
          value={typed.which}
          options={whichOptions}
          onChoose={(wanted) => type('which', wanted)}
        />
        <ChoiceField
          label="State"
          value={typed.status}
          options={[{ value: '', label: 'Any' }, ...statusOptions]}
          onChoose={(wanted) => type('status', wanted)}
        />
      </search>
      {isByFolder && <Folders pages={folders} />}
      <section class="section" aria-label="Files">
        <FileTable
          pages={files}
          empty={emptyListOf(filters, mayUpload, folder !== undefined)}
          order={{ ...applied, onSort: (sort, direction) => sortBy(sort, direction) }}
          labelOf={places === undefined ? undefined : labelOf}
        />
      </section>
      {isCreating && (
        <NameDialog
          title="Create a folder"
          act="Create"
          success="The folder was created."
          command={(wanted) => createFileFolder({ body: { name: wanted, parentFolderId: folderId ?? null } })}
          onDone={folders.reload}
          close={() => setCreating(false)}
        />
      )}
    </FileDropZone>
  );
};

const nothingToReload = (): void => undefined;

export const LibraryPage = ({ query }: PageProps) => (
  <Library folder={undefined} query={query} reload={nothingToReload} />
);

export const FolderPage = ({ params, query }: PageProps) => {
  const { folderId = '' } = params;
  const folder = useResource(getFileFolder({ folderId }));
  if (folder.content === undefined || folder.isOld)
    return (
      <>
        <PageHeading title="Folder" trail={[{ label: 'Files', path: filesPath }]} />
        <AsyncContent source={{ ...folder, content: undefined }}>{() => null}</AsyncContent>
      </>
    );
  return <Library key={folderId} folder={folder.content} query={query} reload={folder.reload} />;
};
