/** Rules of folders, grants, groups and the places of files. */
import assert from 'node:assert/strict';
import { fileAccessRules } from '../../../domain/files/access/decider';
import type { FileAccessEvent } from '../../../domain/files/access/events';
import type { CreatedFile } from '../../../domain/files/access/state';
import { evolve, filesByName, noAccess, readableFolders, roleInFile } from '../../../domain/files/access/state';
import type { FileGrantId, FileId, FolderId, GroupId } from '../../../domain/files/ids';
import { fileLimits } from '../../../domain/files/limits';
import type { GrantedRole } from '../../../domain/files/roles';
import { fold } from '../../../domain/kernel/decider';
import type { PrincipalId } from '../../../domain/kernel/ids';
import { given } from '../../kernel/domain/given-when-then';

const [ada, bob, eve] = ['ada', 'bob', 'eve'] as PrincipalId[] as [PrincipalId, PrincipalId, PrincipalId];
const [top, inner, other] = ['top', 'inner', 'other'] as FolderId[] as [FolderId, FolderId, FolderId];
const groupId = 'legal' as GroupId;
const fileId = 'file-1' as FileId;
const file: CreatedFile = { fileId, ownerId: ada, folderId: top };

const folderCreated = (folderId: FolderId, parentFolderId: FolderId | null = null, ownerId = ada): FileAccessEvent => ({
  type: 'FolderCreated',
  data: { folderId, name: 'Contracts', parentFolderId, ownerId },
});
const grantIdOf = (name: string): FileGrantId => `grant-${name}` as FileGrantId;
const granted = (
  principalId: string,
  role: GrantedRole,
  { resourceId = top as string, principalType = 'user' as 'user' | 'group' | 'tenant', name = principalId } = {},
): FileAccessEvent => ({
  type: 'GrantAdded',
  data: {
    grantId: grantIdOf(name),
    resourceType: resourceId === fileId ? 'file' : 'folder',
    ...{ resourceId, principalType, principalId, role, grantedBy: ada },
  },
});
const revoked = (name: string): FileAccessEvent => ({ type: 'GrantRevoked', data: { grantId: grantIdOf(name) } });
const trashed = (folderId: FolderId): FileAccessEvent => ({ type: 'FolderTrashed', data: { folderId } });
const restored = (folderId: FolderId): FileAccessEvent => ({ type: 'FolderRestored', data: { folderId } });
const hidden = (reason: 'trashed' | 'deleted' | 'quarantined'): FileAccessEvent => ({
  type: 'FileHidden',
  data: { fileId, reason },
});
const revealed = (reason: 'trashed' | 'quarantined'): FileAccessEvent => ({
  type: 'FileRevealed',
  data: { fileId, reason },
});
const groupCreated: FileAccessEvent = { type: 'GroupCreated', data: { groupId, name: 'Legal', createdBy: ada } };
const joined = (principalId: PrincipalId): FileAccessEvent => ({
  type: 'GroupMemberAdded',
  data: { groupId, principalId },
});
const left = (principalId: PrincipalId): FileAccessEvent => ({
  type: 'GroupMemberRemoved',
  data: { groupId, principalId },
});

const workspace = (...events: readonly FileAccessEvent[]) =>
  given(fileAccessRules, folderCreated(top), folderCreated(inner, top), ...events);
const stateAfter = (...events: readonly FileAccessEvent[]) =>
  fold({ evolve }, noAccess, [folderCreated(top), folderCreated(inner, top), ...events]);

describe('a folder', () => {
  const create = (folderId: FolderId, parentFolderId: FolderId | null, by = ada) =>
    ({ type: 'CreateFolder', folderId, name: 'Contracts', parentFolderId, by }) as const;

  it('is created at the top by everyone, and in folders by editors', () => {
    workspace()
      .when(create(other, null, bob))
      .then(folderCreated(other, null, bob));
    workspace(granted(bob, 'editor'))
      .when(create(other, inner, bob))
      .then(folderCreated(other, inner, bob));
    workspace().when(create(inner, top)).thenNothing();
    workspace(granted(bob, 'viewer'))
      .when(create(other, inner, bob))
      .rejects('role-too-low');
    workspace()
      .when(create(other, inner, bob))
      .rejects('folder-unknown');
    workspace(trashed(top)).when(create(other, inner)).rejects('folder-unknown');
  });

  it('is renamed by editors, once', () => {
    const rename = (name: string, by = ada) => ({ type: 'RenameFolder', folderId: top, name, by }) as const;
    workspace()
      .when(rename('Leases'))
      .then({ type: 'FolderRenamed', data: { folderId: top, name: 'Leases' } });
    workspace().when(rename('Contracts')).thenNothing();
    workspace(granted(bob, 'viewer')).when(rename('Leases', bob)).rejects('role-too-low');
    workspace().when(rename('Leases', bob)).rejects('folder-unknown');
  });

  it('is moved by editors of both ends, but not into itself', () => {
    const move = (folderId: FolderId, parentFolderId: FolderId | null, by = ada) =>
      ({ type: 'MoveFolder', folderId, parentFolderId, by }) as const;
    const moved = { type: 'FolderMoved', data: { folderId: inner, parentFolderId: null } } as const;
    workspace().when(move(inner, null)).then(moved);
    workspace(moved).when(move(inner, null)).thenNothing();
    workspace().when(move(top, inner)).rejects('folder-cycle');
    workspace().when(move(top, top)).rejects('folder-cycle');
    workspace(folderCreated(other, null, bob))
      .when(move(inner, other))
      .rejects('folder-unknown');
    workspace(granted(bob, 'viewer'))
      .when(move(inner, null, bob))
      .rejects('role-too-low');
  });

  it('is deleted for ever by its owner, with the role that it had, and then never comes back', () => {
    const remove = (by = ada, held: readonly CreatedFile[] = []) =>
      ({ type: 'DeleteFolder', folderId: inner, by, held }) as const;
    const deleted: FileAccessEvent = { type: 'FolderDeleted', data: { folderId: inner, cause: 'person' } };
    workspace(trashed(inner)).when(remove()).then(deleted);
    workspace().when(remove()).then(deleted);
    workspace(deleted).when(remove()).thenNothing();
    workspace(granted(bob, 'editor')).when(remove(bob)).rejects('role-too-low');
    workspace().when(remove(eve)).rejects('folder-unknown');
    workspace(deleted).when({ type: 'RestoreFolder', by: ada, folderId: inner }).rejects('folder-unknown');
    workspace(deleted)
      .when({ type: 'ChangeFolderOwner', by: eve, folderId: inner, ownerId: eve, inactiveOwner: ada })
      .rejects('folder-unknown');
    assert.equal(roleInFile(stateAfter(deleted), ada, { ...file, folderId: inner }), undefined);
    assert.ok(!readableFolders(stateAfter(deleted), ada).has(inner));
  });

  it('is not deleted for ever while a file in it is held, wherever in it that lies', () => {
    const held: FileAccessEvent = { type: 'FileHeld', data: { fileId, reason: 'Case', heldBy: eve } };
    const released: FileAccessEvent = { type: 'FileReleased', data: { fileId, releasedBy: eve } };
    const movedIn: FileAccessEvent = { type: 'FileMoved', data: { fileId, folderId: inner } };
    const remove = (folderId: FolderId) => ({ type: 'DeleteFolder', folderId, by: ada, held: [file] }) as const;
    workspace(held, movedIn).when(remove(top)).rejects('folder-held');
    workspace(held)
      .when(remove(inner))
      .then({ type: 'FolderDeleted', data: { folderId: inner, cause: 'person' } });
    workspace(held, movedIn, released)
      .when(remove(top))
      .then({ type: 'FolderDeleted', data: { folderId: top, cause: 'person' } });
  });

  it('takes its files with it, but what is held or was moved out before', () => {
    const deleted: FileAccessEvent = { type: 'FolderDeleted', data: { folderId: top, cause: 'person' } };
    const remove = (folderId: FolderId | null) =>
      ({ type: 'DeleteFileOfFolder', file: { ...file, folderId } }) as const;
    workspace(deleted).when(remove(inner)).then(hidden('deleted'));
    workspace(deleted).when(remove(null)).thenNothing();
    workspace(deleted, hidden('deleted')).when(remove(top)).thenNothing();
    workspace(trashed(top)).when(remove(top)).thenNothing();
    workspace({ type: 'FileHeld', data: { fileId, reason: 'Case', heldBy: eve } }, deleted)
      .when(remove(top))
      .thenNothing();
    workspace({ type: 'FileMoved', data: { fileId, folderId: null } }, deleted)
      .when(remove(top))
      .thenNothing();
  });

  it('is deleted by the system only while it is in the trash', () => {
    const purge = { type: 'PurgeFolder', folderId: inner } as const;
    const deleted: FileAccessEvent = { type: 'FolderDeleted', data: { folderId: inner, cause: 'retention' } };
    workspace(trashed(inner)).when(purge).then(deleted);
    workspace(trashed(inner), restored(inner)).when(purge).thenNothing();
    workspace(deleted).when(purge).thenNothing();
  });

  it('is not deeper than there are levels', () => {
    const ids = Array.from({ length: fileLimits.folderDepth }, (_, at) => `level-${at}` as FolderId);
    const levels = ids.map((folderId, at) => folderCreated(folderId, ids[at - 1] ?? null));
    const deepest = ids.at(-1) ?? top;
    workspace(...levels)
      .when(create(other, deepest))
      .rejects('folder-too-deep');
    workspace(...levels.slice(0, -1))
      .when(create(deepest, ids.at(-2) ?? top))
      .then(folderCreated(deepest, ids.at(-2)));
    const move = (parentFolderId: FolderId | undefined) =>
      ({ type: 'MoveFolder', folderId: top, parentFolderId: parentFolderId ?? null, by: ada }) as const;
    workspace(...levels)
      .when(move(ids.at(-2)))
      .rejects('folder-too-deep');
    workspace(...levels)
      .when(move(ids.at(-3)))
      .then({ type: 'FolderMoved', data: { folderId: top, parentFolderId: ids.at(-3) ?? null } });
  });

  it('is trashed and restored by editors, its own and those above', () => {
    const trash = (by = ada) => ({ type: 'TrashFolder', folderId: inner, by }) as const;
    const restore = (by = ada) => ({ type: 'RestoreFolder', folderId: inner, by }) as const;
    const editor = granted(bob, 'editor', { resourceId: inner });
    for (const by of [ada, bob]) {
      workspace(editor).when(trash(by)).then(trashed(inner));
      workspace(editor, trashed(inner)).when(trash(by)).thenNothing();
      workspace(editor, trashed(inner)).when(restore(by)).then(restored(inner));
      workspace(editor).when(restore(by)).thenNothing();
      workspace(editor, trashed(inner), trashed(top)).when(restore(by)).rejects('folder-unknown');
    }
    for (const command of [trash(bob), restore(bob)]) {
      workspace(granted(bob, 'viewer')).when(command).rejects('role-too-low');
      workspace(trashed(inner)).when(command).rejects('folder-unknown');
    }
  });

  it('is handed over by its owner, who keeps nothing of it', () => {
    const change = (ownerId: PrincipalId, by = ada) =>
      ({ type: 'ChangeFolderOwner', folderId: top, ownerId, by }) as const;
    const changed = { type: 'FolderOwnerChanged', data: { folderId: top, ownerId: bob } } as const;
    workspace().when(change(bob)).then(changed);
    workspace().when(change(ada)).thenNothing();
    workspace(granted(bob, 'editor')).when(change(bob, bob)).rejects('role-too-low');
    workspace(changed).when(change(eve)).rejects('folder-unknown');
  });

  it('is handed over by administrators where its owner is no active principal, and only from that owner', () => {
    const change = (inactiveOwner?: PrincipalId, folderId = top) =>
      ({ type: 'ChangeFolderOwner', folderId, ownerId: bob, by: eve, inactiveOwner }) as const;
    const changed = { type: 'FolderOwnerChanged', data: { folderId: top, ownerId: bob } } as const;
    workspace().when(change(ada)).then(changed);
    workspace(trashed(top)).when(change(ada)).then(changed);
    workspace().when(change()).rejects('folder-unknown');
    workspace(changed).when(change(ada)).rejects('folder-unknown');
    workspace().when(change(ada, other)).rejects('folder-unknown');
    workspace().when(change(undefined, other)).rejects('folder-unknown');
  });
});

describe('a grant', () => {
  const add = (
    principalId: string,
    role: GrantedRole,
    {
      by = ada,
      name = principalId,
      principalType = 'user' as 'user' | 'group' | 'tenant',
      resource = { type: 'folder', folderId: top } as
        | { type: 'folder'; folderId: FolderId }
        | { type: 'file'; file: CreatedFile },
    } = {},
  ) => ({ type: 'AddGrant', grantId: grantIdOf(name), resource, principalType, principalId, role, by }) as const;
  const revoke = (name: string, by = ada) =>
    ({ type: 'RevokeGrant', grantId: grantIdOf(name), resource: { type: 'folder', folderId: top }, by }) as const;

  it('is added by editors, once for each principal', () => {
    workspace().when(add(bob, 'viewer')).then(granted(bob, 'viewer'));
    workspace(granted(bob, 'viewer')).when(add(bob, 'viewer')).thenNothing();
    workspace(granted(bob, 'viewer'))
      .when(add(bob, 'viewer', { name: 'later' }))
      .thenNothing();
    workspace(granted(bob, 'editor'))
      .when(add(eve, 'editor', { by: bob }))
      .then({
        ...granted(eve, 'editor'),
        data: { ...dataOf(granted(eve, 'editor')), grantedBy: bob },
      } as FileAccessEvent);
    workspace(granted(bob, 'viewer'))
      .when(add(eve, 'viewer', { by: bob }))
      .rejects('role-too-low');
    workspace()
      .when(add(eve, 'viewer', { by: bob }))
      .rejects('folder-unknown');
  });

  it('takes the place of another role', () =>
    workspace(granted(bob, 'viewer'))
      .when(add(bob, 'editor', { name: 'later' }))
      .then(revoked(bob), granted(bob, 'editor', { name: 'later' })));

  it('of an id that is in use is not added', () =>
    workspace(granted(bob, 'viewer'))
      .when(add(eve, 'viewer', { name: bob }))
      .thenNothing());

  it('is of files, too, and of groups that there are', () => {
    const onFile = granted(bob, 'viewer', { resourceId: fileId });
    workspace()
      .when(add(bob, 'viewer', { resource: { type: 'file', file } }))
      .then(onFile);
    workspace(hidden('trashed'))
      .when(add(bob, 'viewer', { resource: { type: 'file', file } }))
      .rejects('file-unknown');
    const toGroup = { principalType: 'group' } as const;
    workspace(groupCreated)
      .when(add(groupId, 'viewer', toGroup))
      .then(granted(groupId, 'viewer', toGroup));
    workspace()
      .when(add(groupId, 'viewer', toGroup))
      .rejects('group-unknown');
  });

  it('is bounded for each resource', () => {
    const many = Array.from({ length: fileLimits.grantsOfResource }, (_, at) => granted(`user-${at}`, 'viewer'));
    workspace(...many)
      .when(add(bob, 'viewer'))
      .rejects('too-many-grants');
    const [before, now] = [revoked('user-0'), granted('user-0', 'editor', { name: 'later' })];
    workspace(...many)
      .when(add('user-0', 'editor', { name: 'later' }))
      .then(before, now);
  });

  it('is revoked by editors and by whom it is for', () => {
    workspace(granted(bob, 'viewer')).when(revoke(bob)).then(revoked(bob));
    workspace(granted(bob, 'viewer')).when(revoke(bob, bob)).then(revoked(bob));
    workspace().when(revoke(bob)).thenNothing();
    workspace(granted(bob, 'viewer'), granted(eve, 'viewer')).when(revoke(bob, eve)).rejects('role-too-low');
    workspace(granted(bob, 'viewer')).when(revoke(bob, eve)).rejects('folder-unknown');
  });
});

const dataOf = ({ data }: FileAccessEvent) => data;

describe('a group', () => {
  const create = { type: 'CreateGroup', groupId, name: 'Legal', by: ada } as const;
  const change = (type: 'RenameGroup' | 'DeleteGroup', { by = ada, isAdministrator = false, name = 'Tax' } = {}) =>
    ({ type, groupId, name, by, isAdministrator }) as const;
  const member = (
    type: 'AddGroupMember' | 'RemoveGroupMember',
    principalId: PrincipalId,
    { by = ada, isAdministrator = false } = {},
  ) => ({ type, groupId, principalId, by, isAdministrator }) as const;

  it('is created, renamed and deleted by its creator and administrators', () => {
    given(fileAccessRules).when(create).then(groupCreated);
    given(fileAccessRules, groupCreated).when(create).thenNothing();
    const renamed = { type: 'GroupRenamed', data: { groupId, name: 'Tax' } } as const;
    given(fileAccessRules, groupCreated).when(change('RenameGroup')).then(renamed);
    given(fileAccessRules, groupCreated, renamed).when(change('RenameGroup')).thenNothing();
    const deleted = { type: 'GroupDeleted', data: { groupId } } as const;
    given(fileAccessRules, groupCreated)
      .when(change('DeleteGroup', { by: bob, isAdministrator: true }))
      .then(deleted);
    given(fileAccessRules, groupCreated, deleted).when(change('DeleteGroup')).rejects('group-unknown');
    for (const type of ['RenameGroup', 'DeleteGroup'] as const)
      given(fileAccessRules, groupCreated)
        .when(change(type, { by: bob }))
        .rejects('group-of-another');
    given(fileAccessRules).when(change('RenameGroup')).rejects('group-unknown');
  });

  it('has members, who may leave', () => {
    given(fileAccessRules, groupCreated).when(member('AddGroupMember', bob)).then(joined(bob));
    given(fileAccessRules, groupCreated, joined(bob)).when(member('AddGroupMember', bob)).thenNothing();
    given(fileAccessRules, groupCreated)
      .when(member('AddGroupMember', bob, { by: bob }))
      .rejects('group-of-another');
    given(fileAccessRules, groupCreated, joined(bob)).when(member('RemoveGroupMember', bob)).then(left(bob));
    given(fileAccessRules, groupCreated, joined(bob))
      .when(member('RemoveGroupMember', bob, { by: bob }))
      .then(left(bob));
    given(fileAccessRules, groupCreated).when(member('RemoveGroupMember', bob)).thenNothing();
    given(fileAccessRules, groupCreated, joined(bob), joined(eve))
      .when(member('RemoveGroupMember', bob, { by: eve }))
      .rejects('group-of-another');
    given(fileAccessRules).when(member('AddGroupMember', bob)).rejects('group-unknown');
  });

  it('is bounded, and folded in a time that grows with its members', () => {
    const many = Array.from({ length: fileLimits.membersOfGroup }, (_, at) => joined(`user-${at}` as PrincipalId));
    given(fileAccessRules, groupCreated, ...many)
      .when(member('AddGroupMember', bob))
      .rejects('too-many-members');
  }).timeout(10_000);
});

describe('a file', () => {
  it('is moved by editors of both ends', () => {
    const move = (folderId: FolderId | null, by = ada) => ({ type: 'MoveFile', file, folderId, by }) as const;
    const moved = { type: 'FileMoved', data: { fileId, folderId: inner } } as const;
    workspace().when(move(inner)).then(moved);
    workspace().when(move(top)).thenNothing();
    workspace(moved).when(move(inner)).thenNothing();
    workspace()
      .when(move(null))
      .then({ type: 'FileMoved', data: { fileId, folderId: null } });
    workspace(folderCreated(other, null, bob))
      .when(move(other))
      .rejects('folder-unknown');
    workspace(granted(bob, 'viewer')).when(move(inner, bob)).rejects('role-too-low');
    workspace().when(move(inner, bob)).rejects('file-unknown');
    workspace(hidden('trashed')).when(move(inner)).rejects('file-unknown');
  });

  it('is handed over by its owner', () => {
    const change = (ownerId: PrincipalId, by = ada) => ({ type: 'ChangeFileOwner', file, ownerId, by }) as const;
    workspace()
      .when(change(bob))
      .then({ type: 'FileOwnerChanged', data: { fileId, ownerId: bob } });
    workspace().when(change(ada)).thenNothing();
    workspace(granted(bob, 'editor')).when(change(bob, bob)).rejects('role-too-low');
    workspace().when(change(bob, bob)).rejects('file-unknown');
  });

  it('is handed over by administrators where its owner is no active principal, and only from that owner', () => {
    const change = (inactiveOwner?: PrincipalId) =>
      ({ type: 'ChangeFileOwner', file, ownerId: bob, by: eve, inactiveOwner }) as const;
    const changed = { type: 'FileOwnerChanged', data: { fileId, ownerId: bob } } as const;
    workspace().when(change(ada)).then(changed);
    workspace(hidden('trashed')).when(change(ada)).then(changed);
    workspace().when(change()).rejects('file-unknown');
    workspace(changed).when(change(ada)).rejects('file-unknown');
    workspace(hidden('deleted')).when(change(ada)).rejects('file-unknown');
  });

  it('is trashed, restored and deleted', () => {
    const dispose = (type: 'TrashFile' | 'RestoreFile' | 'DeleteFile', by = ada) => ({ type, file, by }) as const;
    const editor = granted(bob, 'editor');
    workspace(editor).when(dispose('TrashFile', bob)).then(hidden('trashed'));
    workspace(editor, hidden('trashed')).when(dispose('TrashFile', bob)).thenNothing();
    workspace(editor, hidden('trashed')).when(dispose('RestoreFile', bob)).then(revealed('trashed'));
    workspace(editor).when(dispose('RestoreFile', bob)).thenNothing();
    workspace(editor).when(dispose('DeleteFile', bob)).rejects('role-too-low');
    workspace(hidden('trashed')).when(dispose('DeleteFile')).then(hidden('deleted'));
    workspace(hidden('deleted')).when(dispose('DeleteFile')).thenNothing();
    workspace(hidden('deleted')).when(dispose('RestoreFile')).rejects('file-unknown');
    for (const type of ['TrashFile', 'RestoreFile', 'DeleteFile'] as const) {
      workspace(granted(bob, 'viewer')).when(dispose(type, bob)).rejects('role-too-low');
      workspace(hidden('deleted')).when(dispose(type, bob)).rejects('file-unknown');
    }
  });

  it('is quarantined by the system, whatever else hides it', () => {
    const quarantine = (type: 'HideFile' | 'RevealFile') => ({ type, fileId, reason: 'quarantined' }) as const;
    workspace(hidden('trashed')).when(quarantine('HideFile')).then(hidden('quarantined'));
    workspace(hidden('quarantined')).when(quarantine('HideFile')).thenNothing();
    workspace(hidden('quarantined')).when(quarantine('RevealFile')).then(revealed('quarantined'));
    workspace().when(quarantine('RevealFile')).thenNothing();
    const state = stateAfter(hidden('trashed'), hidden('quarantined'), revealed('quarantined'));
    assert.equal(roleInFile(state, ada, file), undefined);
    assert.equal(roleInFile(fold({ evolve }, state, [revealed('trashed')]), ada, file), 'owner');
  });
});

describe('roles', () => {
  it('are those of the file and of every folder above, the highest counts', () => {
    const inInner: CreatedFile = { fileId, ownerId: eve, folderId: inner };
    const state = stateAfter(
      groupCreated,
      joined(bob),
      granted(groupId, 'viewer', { principalType: 'group' }),
      granted(bob, 'editor', { resourceId: inner }),
    );
    assert.deepEqual(
      [ada, bob, eve].map((principal) => roleInFile(state, principal, inInner)),
      ['owner', 'editor', 'owner'],
    );
    const withoutBob = fold({ evolve }, state, [left(bob), revoked(bob)]);
    assert.equal(roleInFile(withoutBob, bob, inInner), undefined);
    const withTenant = fold({ evolve }, withoutBob, [granted('acme', 'viewer', { principalType: 'tenant' })]);
    assert.equal(roleInFile(withTenant, 'anyone', inInner), 'viewer');
    assert.equal(roleInFile(fold({ evolve }, withTenant, [trashed(top)]), eve, inInner), undefined);
  });

  it('of folders are what a search is filtered by, with files that folders do not lead to', () => {
    const state = stateAfter(
      folderCreated(other, null, bob),
      granted(bob, 'viewer', { resourceId: inner }),
      granted(bob, 'viewer', { resourceId: fileId, name: 'file' }),
      { type: 'FileMoved', data: { fileId: 'file-2' as FileId, folderId: other } },
    );
    assert.deepEqual([...readableFolders(state, bob)].toSorted(), [
      [inner, 'viewer'],
      [other, 'owner'],
    ]);
    assert.deepEqual([...filesByName(state, bob, readableFolders(state, bob))].toSorted(), [fileId, 'file-2']);
    assert.deepEqual([...readableFolders(fold({ evolve }, state, [trashed(top)]), bob).keys()], [other]);
  });
});
