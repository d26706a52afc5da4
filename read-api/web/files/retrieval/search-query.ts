/** A search in files, as the address has it. */
import { withQuery } from '../../kernel/router';
import { searchPath } from '../paths';

const modes = ['hybrid', 'keyword', 'semantic'] as const;
export type SearchMode = (typeof modes)[number];

export interface FileSearch {
  readonly query: string;
  readonly mode: SearchMode;
  /** Nothing but what is in them; both empty: everything. */
  readonly fileIds: readonly string[];
  readonly folderIds: readonly string[];
  readonly topK: number;
}

const firstResults = 20;
export const mostResults = 100;

const idsOf = (text: string | null): readonly string[] => (text ?? '').split(',').filter((id) => id !== '');

const countOf = (text: string | null): number => {
  const count = Number(text);
  return Number.isInteger(count) && count > firstResults ? Math.min(count, mostResults) : firstResults;
};

export const fileSearchOf = (parameters: URLSearchParams): FileSearch => ({
  query: (parameters.get('query') ?? '').trim(),
  mode: modes.find((mode) => mode === parameters.get('mode')) ?? 'hybrid',
  fileIds: idsOf(parameters.get('files')),
  folderIds: idsOf(parameters.get('folders')),
  topK: countOf(parameters.get('top')),
});

/** What is as usual is left out. */
export const searchParameters = ({ query, mode, fileIds, folderIds, topK }: FileSearch): Record<string, string> => ({
  query,
  mode: mode === 'hybrid' ? '' : mode,
  files: fileIds.join(),
  folders: folderIds.join(),
  top: topK === firstResults ? '' : String(topK),
});

export const searchHref = (search: FileSearch): string => withQuery(searchPath, searchParameters(search));
