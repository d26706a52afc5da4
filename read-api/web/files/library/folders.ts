/** All folders that the caller may read, with their paths: for choices of a place. */
import { useEffect, useState } from 'preact/hooks';
import { listFileFolders } from '../../../../packages/client/src/operations';
import type { FileFolder, ListFileFoldersPage } from '../../../../packages/client/src/schemas';
import { type Answer, read } from '../../kernel/api-client';
import type { Problem } from '../../kernel/problem';
import { nameOf } from '../labels';

interface FolderPlace {
  readonly folder: FileFolder;
  /** `Contracts / 2026` */
  readonly label: string;
  /** From the top to the folder itself. */
  readonly ids: readonly string[];
}

const placesOf = (folders: readonly FileFolder[]): readonly FolderPlace[] => {
  const byId = new Map(folders.map((folder) => [folder.folderId as string, folder]));
  const chainOf = (folder: FileFolder): readonly FileFolder[] => {
    const above = folder.parentFolderId === null ? undefined : byId.get(folder.parentFolderId);
    return above === undefined ? [folder] : [...chainOf(above), folder];
  };
  return folders
    .map((folder) => {
      const chain = chainOf(folder);
      return {
        folder,
        label: chain.map(({ name }) => nameOf(name)).join(' / '),
        ids: chain.map(({ folderId }) => folderId),
      };
    })
    .toSorted((one, other) => one.label.localeCompare(other.label, 'en', { numeric: true }));
};

/** A choice of more is no choice. */
const maxFolders = 1_000;

export interface FolderPlaces {
  readonly places: readonly FolderPlace[] | undefined;
  readonly problem: Problem | undefined;
}

/** Loaded once they are needed. */
export const useFolderPlaces = (isNeeded = true): FolderPlaces => {
  const [state, setState] = useState<FolderPlaces>({ places: undefined, problem: undefined });
  useEffect(() => {
    if (!isNeeded) return undefined;
    const leaving = new AbortController();
    const load = async (): Promise<void> => {
      const folders: FileFolder[] = [];
      let cursor: string | null = '';
      while (cursor !== null && folders.length < maxFolders) {
        const page: Answer<ListFileFoldersPage> = await read(
          listFileFolders({ limit: 200, ...(cursor === '' ? {} : { cursor }) }),
          leaving.signal,
        );
        if (!page.ok) return setState({ places: undefined, problem: page.problem });
        folders.push(...page.content.items);
        cursor = page.content.next_cursor;
      }
      setState({ places: placesOf(folders), problem: undefined });
    };
    load().catch(() => undefined);
    return () => leaving.abort();
  }, [isNeeded]);
  return state;
};
