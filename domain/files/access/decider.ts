/** Dispatches commands on a tenant's folders, groups, grants and places of files to their decisions. */
import type { Decider } from '../../kernel/decider';
import type { FileAccessCommand } from './commands';
import { type FileAccessEvent, fileAccess } from './events';
import { decideFile } from './files';
import { decideFolder } from './folders';
import { addGrant, revokeGrant } from './grants';
import { decideGroup } from './groups';
import type { AccessDecision, FileAccessRejection } from './rejections';
import { evolve, type FileAccessState, noAccess } from './state';

const decide = (command: FileAccessCommand, state: FileAccessState): AccessDecision => {
  switch (command.type) {
    case 'AddGrant':
      return addGrant(command, state);
    case 'RevokeGrant':
      return revokeGrant(command, state);
    case 'CreateFolder':
    case 'RenameFolder':
    case 'MoveFolder':
    case 'TrashFolder':
    case 'RestoreFolder':
    case 'DeleteFolder':
    case 'PurgeFolder':
    case 'ChangeFolderOwner':
      return decideFolder(command, state);
    case 'CreateGroup':
    case 'RenameGroup':
    case 'DeleteGroup':
    case 'AddGroupMember':
    case 'RemoveGroupMember':
      return decideGroup(command, state);
    case 'MoveFile':
    case 'ChangeFileOwner':
    case 'TrashFile':
    case 'RestoreFile':
    case 'DeleteFile':
    case 'HoldFile':
    case 'ReleaseFile':
    case 'PurgeFile':
    case 'DeleteFileOfFolder':
    case 'HideFile':
    case 'RevealFile':
      return decideFile(command, state);
  }
};

export const fileAccessRules: Decider<FileAccessCommand, FileAccessState, FileAccessEvent, FileAccessRejection> = {
  family: fileAccess,
  initial: noAccess,
  evolve,
  decide,
};
