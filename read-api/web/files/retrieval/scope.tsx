/** What a search or a question is restricted to: a folder that is chosen, or files and folders that the address names. */
import { getFile } from '../../../../packages/client/src/operations';
import { ChoiceField, type Option } from '../../components/form-fields';
import { countOf } from '../../kernel/format';
import { navigate } from '../../kernel/router';
import { useResource } from '../../kernel/use-resource';
import { nameOf } from '../labels';
import { useFolderPlaces } from '../library/folders';

interface Scope {
  readonly fileIds: readonly string[];
  readonly folderIds: readonly string[];
}

/** As the API takes it. */
export const scopeOf = ({ fileIds, folderIds }: Scope) => {
  if (fileIds.length + folderIds.length === 0) return {};
  return {
    scope: { ...(fileIds.length > 0 && { fileIds }), ...(folderIds.length > 0 && { folderIds }) },
  };
};

const everything = '';
/** What the address names and the list of folders does not have. */
const ofAddress = 'address';

const useLabelOfScope = ({ fileIds, folderIds }: Scope): string => {
  const [fileId] = fileIds;
  const isOneFile = fileIds.length === 1 && folderIds.length === 0;
  const file = useResource(isOneFile && fileId !== undefined ? getFile({ fileId }) : undefined);
  if (isOneFile && file.content !== undefined) return `File: ${nameOf(file.content.filename)}`;
  const folders = folderIds.length === 0 ? [] : [countOf(folderIds.length, 'folder')];
  const files = fileIds.length === 0 ? [] : [countOf(fileIds.length, 'file')];
  return [...folders, ...files].join(' and ');
};

interface Props extends Scope {
  readonly hrefOf: (scope: Scope) => string;
}

export const ScopeField = ({ fileIds, folderIds, hrefOf }: Props) => {
  const { places = [] } = useFolderPlaces();
  const label = useLabelOfScope({ fileIds, folderIds });
  const [folderId = ''] = folderIds;
  const isFolder =
    folderIds.length === 1 && fileIds.length === 0 && places.some(({ folder }) => folder.folderId === folderId);
  const isEverything = fileIds.length + folderIds.length === 0;
  const options: readonly Option<string>[] = [
    { value: everything, label: 'All files' },
    ...(isFolder || isEverything ? [] : [{ value: ofAddress, label }]),
    ...places.map(({ folder, label: path }) => ({ value: folder.folderId as string, label: `Folder: ${path}` })),
  ];
  if (options.length === 1) return null;
  const named = isFolder ? folderId : ofAddress;
  return (
    <div class="search-scope">
      <ChoiceField
        label="In"
        value={isEverything ? everything : named}
        options={options}
        onChoose={(chosen) => {
          if (chosen !== ofAddress) navigate(hrefOf({ fileIds: [], folderIds: chosen === everything ? [] : [chosen] }));
        }}
      />
    </div>
  );
};
