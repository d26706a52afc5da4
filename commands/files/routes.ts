/** The routes of files at the command API. */
import { type BoundRoute, bind } from '../../infra/server/http/routing/route';
import { changeFileOwner, deleteFile, moveFile, renameFile, restoreFile, trashFile } from './access/file-routes';
import {
  changeFolderOwner,
  createFolder,
  deleteFolder,
  moveFolder,
  renameFolder,
  restoreFolder,
  trashFolder,
} from './access/folder-routes';
import { grantFile, grantFolder, revokeFileGrant, revokeFolderGrant } from './access/grant-routes';
import { addGroupMember, createGroup, deleteGroup, removeGroupMember, renameGroup } from './access/group-routes';
import { holdFile, releaseFile } from './access/hold-routes';
import { retryFile } from './ingestion/retry-route';
import { type ReindexDeps, reindexFiles } from './reindexing/reindex-route';
import { resumeFileUpload, signFilePart, signFileUpload } from './uploads/part-routes';
import { completeVersion, createUploadSession, createVersionSession, type UploadDeps } from './uploads/upload-sessions';

export const fileRoutes = (deps: UploadDeps & ReindexDeps): readonly BoundRoute[] => [
  bind(deps, createUploadSession),
  bind(deps, createVersionSession),
  bind(deps, resumeFileUpload),
  bind(deps, signFilePart),
  bind(deps, signFileUpload),
  bind(deps, completeVersion),
  bind(deps, retryFile),
  bind(deps, reindexFiles),
  bind(deps, renameFile),
  bind(deps, moveFile),
  bind(deps, changeFileOwner),
  bind(deps, trashFile),
  bind(deps, restoreFile),
  bind(deps, deleteFile),
  bind(deps, holdFile),
  bind(deps, releaseFile),
  bind(deps, grantFile),
  bind(deps, revokeFileGrant),
  bind(deps, createFolder),
  bind(deps, renameFolder),
  bind(deps, moveFolder),
  bind(deps, trashFolder),
  bind(deps, restoreFolder),
  bind(deps, deleteFolder),
  bind(deps, changeFolderOwner),
  bind(deps, grantFolder),
  bind(deps, revokeFolderGrant),
  bind(deps, createGroup),
  bind(deps, renameGroup),
  bind(deps, deleteGroup),
  bind(deps, addGroupMember),
  bind(deps, removeGroupMember),
];
