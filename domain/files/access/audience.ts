/** Who sees a file or folder and why: its owner, and each grant on it and on the folders above. For explanations; checks use `state.ts`. */
import type { PrincipalId } from '../../kernel/ids';
import { findValue } from '../../kernel/persistent-map';
import type { FileGrantId, FileId, FolderId, GroupId } from '../ids';
import { type FileRole, higherRole } from '../roles';
import {
  type CreatedFile,
  chainOf,
  type FileAccessState,
  type Folder,
  type Grant,
  grantsOn,
  placedFile,
} from './state';

/** Where a role is from: the file or folder itself, or a folder above it. */
export type AccessLevel =
  | { readonly type: 'file'; readonly id: FileId; readonly ownerId: PrincipalId }
  | { readonly type: 'folder'; readonly id: FolderId; readonly ownerId: PrincipalId };

export const levelOfFolder = ({ folderId, ownerId }: Folder): AccessLevel => ({
  type: 'folder',
  id: folderId,
  ownerId,
});

/** From the folder to the top; empty where it is trashed or unknown. */
export const levelsOfFolder = (state: FileAccessState, folderId: FolderId | null): readonly AccessLevel[] =>
  (chainOf(state, folderId) ?? []).map(levelOfFolder);

export const levelsOfFile = (state: FileAccessState, file: CreatedFile): readonly [AccessLevel, ...AccessLevel[]] => {
  const { fileId, ownerId, folderId } = placedFile(state, file);
  return [{ type: 'file', id: fileId, ownerId }, ...levelsOfFolder(state, folderId)];
};

export interface LevelGrant extends Grant {
  readonly level: AccessLevel;
}

export const grantsOnLevels = (state: FileAccessState, levels: readonly AccessLevel[]): readonly LevelGrant[] =>
  levels.flatMap((level) => grantsOn(state, level.type, level.id).map((grant) => ({ ...grant, level })));

export interface AccessReason {
  readonly role: FileRole;
  readonly level: AccessLevel;
  /** Null: as the owner. */
  readonly grantId: FileGrantId | null;
  /** Null: by name, or as one of the tenant. */
  readonly groupId: GroupId | null;
}

interface Admission {
  readonly role: FileRole;
  readonly reasons: readonly AccessReason[];
}

export interface Audience {
  readonly principals: ReadonlyMap<string, Admission>;
  /** By grants to the whole tenant. */
  readonly everyone: Admission | undefined;
}

const admitted = (before: Admission | undefined, reason: AccessReason): Admission => ({
  role: higherRole(before?.role, reason.role) ?? reason.role,
  reasons: [...(before?.reasons ?? []), reason],
});

/** The order is that of the levels, so what is nearest comes first. */
export const audienceOf = (state: FileAccessState, levels: readonly AccessLevel[]): Audience => {
  const principals = new Map<string, Admission>();
  const admit = (principalId: string, reason: AccessReason): void =>
    void principals.set(principalId, admitted(principals.get(principalId), reason));
  let everyone: Admission | undefined;
  for (const level of levels) {
    admit(level.ownerId, { role: 'owner', level, grantId: null, groupId: null });
    for (const { role, grantId, principalType, principalId } of grantsOn(state, level.type, level.id)) {
      const reason = { role, level, grantId, groupId: null };
      switch (principalType) {
        case 'user':
          admit(principalId, reason);
          break;
        case 'group': {
          const groupId = principalId as GroupId;
          for (const member of findValue(state.groups, groupId)?.members ?? []) admit(member, { ...reason, groupId });
          break;
        }
        case 'tenant':
          everyone = admitted(everyone, reason);
          break;
      }
    }
  }
  return { principals, everyone };
};
