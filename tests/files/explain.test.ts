/** Why a principal sees a file, or not, as administrators read it. */
import assert from 'node:assert/strict';
import type { FileGrantId, FileId, FolderId, GroupId } from '../../domain/files/ids';
import type { PrincipalId, TenantId } from '../../domain/kernel/ids';
import { principalRow } from '../identity/read-api/fixture';
import { type MemoryStage, openMemoryStage, reader } from '../support/retrieval/memory-stage';

interface Explanation {
  readonly isVisible: boolean;
  readonly reason: string;
  readonly role: string | null;
  readonly paths: readonly object[];
  readonly folders: readonly object[];
  readonly hidden: readonly string[];
  readonly heldBy: string | null;
  readonly search: { readonly reason: string; readonly versionId: string | null };
}

const tenantId = 'acme' as TenantId;
const administrator = { ...reader('root'), scopes: ['files:admin'] };

describe('explanations of access', () => {
  let stage: MemoryStage;
  const explain = async (principalId: string, fileId = 'lease'): Promise<Explanation> => {
    const { status, body } = await stage.call('explainFileAccess', administrator, {
      params: { fileId },
      query: { principalId },
    });
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };

  beforeEach(async () => {
    stage = openMemoryStage();
    await stage.setPrincipals(
      ...['ada', 'ben', 'cem'].map((id) => principalRow({ tenantId, principalId: id as PrincipalId })),
      principalRow({ tenantId, principalId: 'gone' as PrincipalId, status: 'SUSPENDED' }),
    );
    const groupId = 'legal' as GroupId;
    await stage.access(
      {
        type: 'FolderCreated',
        data: {
          folderId: 'contracts' as FolderId,
          name: 'Contracts',
          parentFolderId: null,
          ownerId: 'ada' as PrincipalId,
        },
      },
      { type: 'GroupCreated', data: { groupId, name: 'Legal', createdBy: 'ada' as PrincipalId } },
      { type: 'GroupMemberAdded', data: { groupId, principalId: 'ben' as PrincipalId } },
      {
        type: 'GrantAdded',
        data: {
          grantId: 'g1' as FileGrantId,
          resourceType: 'folder',
          resourceId: 'contracts',
          principalType: 'group',
          principalId: 'legal',
          role: 'editor',
          grantedBy: 'ada' as PrincipalId,
        },
      },
    );
    await stage.addFile('lease', ['The notice period is three months.'], { folderId: 'contracts' });
    await stage.createFile('draft');
  });

  it('name owner, grants with their group, and the folders above', async () => {
    const { paths, folders, ...ben } = await explain('ben');
    assert.deepEqual(ben, {
      fileId: 'lease',
      principalId: 'ben',
      isVisible: true,
      reason: 'granted',
      role: 'editor',
      hidden: [],
      heldBy: null,
      search: { reason: 'searchable', versionId: 'lease-v1', errorCode: null },
    });
    assert.deepEqual(paths, [
      { resourceType: 'folder', resourceId: 'contracts', by: 'group', grantId: 'g1', groupId: 'legal', role: 'editor' },
    ]);
    assert.deepEqual(folders, [{ folderId: 'contracts', isTrashed: false }]);
    assert.deepEqual([(await explain('ada')).reason, (await explain('ada')).paths.length], ['owner', 2]);
    const { isVisible, reason, role } = await explain('cem');
    assert.deepEqual([isVisible, reason, role], [false, 'not_shared', null]);
  });

  it('name what stands against every way', async () => {
    await stage.access({ type: 'FileHidden', data: { fileId: 'lease' as FileId, reason: 'quarantined' } });
    const hidden = await explain('ben');
    assert.deepEqual(
      [hidden.isVisible, hidden.reason, hidden.hidden, hidden.paths.length],
      [false, 'hidden', ['quarantined'], 1],
    );
    await stage.access(
      { type: 'FileRevealed', data: { fileId: 'lease' as FileId, reason: 'quarantined' } },
      { type: 'FolderTrashed', data: { folderId: 'contracts' as FolderId } },
    );
    const trashed = await explain('ada');
    assert.deepEqual([trashed.isVisible, trashed.reason, trashed.role], [false, 'folder_trashed', null]);
    await stage.access(
      { type: 'FolderRestored', data: { folderId: 'contracts' as FolderId } },
      { type: 'GroupMemberRemoved', data: { groupId: 'legal' as GroupId, principalId: 'ben' as PrincipalId } },
    );
    assert.equal((await explain('ben')).reason, 'not_shared');
  });

  it('name principals that do not exist or are not active, who see nothing of what is shared with everyone', async () => {
    await stage.access({
      type: 'GrantAdded',
      data: {
        grantId: 'g2' as FileGrantId,
        resourceType: 'file',
        resourceId: 'lease',
        principalType: 'tenant',
        principalId: 'acme',
        role: 'viewer',
        grantedBy: 'ada' as PrincipalId,
      },
    });
    assert.equal((await explain('cem')).reason, 'granted');
    for (const [principalId, why] of [
      ['nobody', 'principal_unknown'],
      ['gone', 'principal_inactive'],
    ] as const) {
      const { isVisible, reason, role, paths } = await explain(principalId);
      assert.deepEqual([isVisible, reason, role, paths.length], [false, why, null, 1]);
    }
  });

  it('name the legal hold that is on the file', async () => {
    const fileId = 'lease' as FileId;
    const heldBy = 'root' as PrincipalId;
    await stage.access({ type: 'FileHeld', data: { fileId, reason: 'Case 2026-117', heldBy } });
    assert.equal((await explain('ben')).heldBy, 'root');
    assert.equal((await explain('ada', 'draft')).heldBy, null);
    await stage.access({ type: 'FileReleased', data: { fileId, releasedBy: heldBy } });
    assert.equal((await explain('ben')).heldBy, null);
  });

  it('name why passages are not found', async () => {
    assert.equal((await explain('ada', 'draft')).search.reason, 'not_uploaded');
    await stage.completeUpload('draft');
    assert.equal((await explain('ada', 'draft')).search.reason, 'not_processed');
    await stage.requestIngestion('draft');
    assert.equal((await explain('ada', 'draft')).search.reason, 'processing');
  });

  it('are of the own tenant, and of files that are there', async () => {
    const query = { principalId: 'ben' };
    const explainTo = (identity: typeof administrator, fileId: string) =>
      stage.call('explainFileAccess', identity, { params: { fileId }, query });
    const never = await explainTo(administrator, 'never');
    assert.equal(never.status, 404);
    assert.deepEqual(await explainTo({ ...reader('root', 'other'), scopes: ['files:admin'] }, 'lease'), never);
  });
});
