/** The routes of files at the command API. */
import { type BoundRoute, bind } from '../../infra/server/http/routing/route';
import { changeFileOwner, deleteFile, moveFile, renameFile, restoreFile, trashFile } from './access/file-routes';
import {
  changeFolderOwner,
  createFolder,
  moveFolder,
  renameFolder,
  restoreFolder,
  trashFolder,
} from './access/folder-routes';
import { grantFile, grantFolder, revokeFileGrant, revokeFolderGrant } from './access/grant-routes';
import { addGroupMember, createGroup, deleteGroup, removeGroupMember, renameGroup } from './access/group-routes';
import { resumeFileUpload, signFilePart, signFileUpload } from './uploads/part-routes';
import { completeVersion, createUploadSession, createVersionSession, type UploadDeps } from './uploads/upload-sessions';

export const fileRoutes = (deps: UploadDeps): readonly BoundRoute[] => [
  bind(deps, createUploadSession),
  bind(deps, createVersionSession),
  bind(deps, resumeFileUpload),
  bind(deps, signFilePart),
  bind(deps, signFileUpload),
  bind(deps, completeVersion),
  bind(deps, renameFile),
  bind(deps, moveFile),
  bind(deps, changeFileOwner),
  bind(deps, trashFile),
  bind(deps, restoreFile),
  bind(deps, deleteFile),
  bind(deps, grantFile),
  bind(deps, revokeFileGrant),
  bind(deps, createFolder),
  bind(deps, renameFolder),
  bind(deps, moveFolder),
  bind(deps, trashFolder),
  bind(deps, restoreFolder),
  bind(deps, changeFolderOwner),
  bind(deps, grantFolder),
  bind(deps, revokeFolderGrant),
  bind(deps, createGroup),
  bind(deps, renameGroup),
  bind(deps, deleteGroup),
  bind(deps, addGroupMember),
  bind(deps, removeGroupMember),
];
