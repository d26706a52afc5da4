/** Paths of the pages of files. */
import { segment, withQuery } from '../kernel/router';

export const filesPath = '/console/files';
export const searchPath = `${filesPath}/search`;
export const answersPath = `${filesPath}/ask`;
export const trashPath = `${filesPath}/trash`;
export const fileUsagePath = `${filesPath}/usage`;
export const fileOrphansPath = `${filesPath}/orphans`;
export const fileDeletionsPath = `${filesPath}/deletions`;
export const filePath = (fileId: string): string => `${filesPath}/${segment(fileId)}`;
export const deletionPath = (fileId: string): string => `${filePath(fileId)}/deletion`;
export const folderPath = (folderId: string): string => `${filesPath}/folders/${segment(folderId)}`;
export const folderSharingPath = (folderId: string): string => `${folderPath(folderId)}/sharing`;
export const fileGroupsPath = `${filesPath}/groups`;
export const fileGroupPath = (groupId: string): string => `${fileGroupsPath}/${segment(groupId)}`;

interface ViewPlace {
  readonly chunk?: string;
  /** Left out: the version that answers. */
  readonly version?: string;
  /** What led there: the viewer shows the other passages that it found in the file, and leads back. */
  readonly from?: Readonly<Record<string, string>>;
}

export const fileViewPath = (fileId: string, { chunk = '', version = '', from = {} }: ViewPlace = {}): string =>
  withQuery(`${filePath(fileId)}/view`, { chunk, version, ...from });
