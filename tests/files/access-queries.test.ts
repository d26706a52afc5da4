/** Routes of folders, groups, access and the trash: what the caller may read, as the access stream has it. */
import assert from 'node:assert/strict';
import type { FileAccessEvent } from '../../domain/files/access/events';
import type { FileGrantId, FileId, FolderId, GroupId } from '../../domain/files/ids';
import type { PrincipalId } from '../../domain/kernel/ids';
import { type MemoryStage, openMemoryStage, reader } from '../support/retrieval/memory-stage';

const ada = reader('ada');
const ben = reader('ben');
const cem = reader('cem');
const stranger = reader('ada', 'other');

interface Folder {
  readonly folderId: string;
  readonly name: string | null;
  readonly parentFolderId: string | null;
  readonly ownerId: string;
  readonly role: string;
  readonly trashedAt?: string | null;
}
interface Origin {
  readonly type: string;
  readonly id: string | null;
  readonly name: string | null;
  readonly isInherited: boolean;
}
interface Reason {
  readonly kind: string;
  readonly role: string;
  readonly groupId: string | null;
  readonly groupName: string | null;
  readonly from: Origin;
}
interface Access {
  readonly ownerId: string;
  readonly role: string;
  readonly grants: readonly {
    readonly grantId: string;
    readonly principalType: string;
    readonly principalId: string;
    readonly name: string | null;
    readonly role: string;
    readonly from: Origin;
  }[];
  readonly principals: readonly {
    readonly principalId: string;
    readonly role: string;
    readonly reasons: readonly Reason[];
  }[];
  readonly everyone: { readonly role: string; readonly reasons: readonly Reason[] } | null;
  readonly isComplete: boolean;
}

describe('queries of access', () => {
  let stage: MemoryStage;
  const folder = (folderId: string, name: string, parentFolderId: string | null = null, ownerId = 'ada') =>
    stage.access({
      type: 'FolderCreated',
      data: {
        folderId: folderId as FolderId,
        name,
        parentFolderId: parentFolderId as FolderId | null,
        ownerId: ownerId as PrincipalId,
      },
    });
  type Grant = Extract<FileAccessEvent, { type: 'GrantAdded' }>['data'];
  const grant = (
    grantId: string,
    of: { readonly file: string } | { readonly folder: string },
    to: Partial<Pick<Grant, 'principalType' | 'role'>> & Pick<Grant, 'principalId'>,
  ) =>
    stage.access({
      type: 'GrantAdded',
      data: {
        ...{ grantId: grantId as FileGrantId, resourceType: 'file' in of ? 'file' : 'folder' },
        ...{ resourceId: 'file' in of ? of.file : of.folder, principalType: 'user', role: 'viewer', ...to },
        grantedBy: 'ada' as PrincipalId,
      },
    });
  const group = (groupId: string, name: string, ...members: readonly string[]) =>
    stage.access(
      { type: 'GroupCreated', data: { groupId: groupId as GroupId, name, createdBy: 'ada' as PrincipalId } },
      ...members.map((principalId) => ({
        type: 'GroupMemberAdded' as const,
        data: { groupId: groupId as GroupId, principalId: principalId as PrincipalId },
      })),
    );

  beforeEach(async () => {
    stage = openMemoryStage();
    await folder('contracts', 'Contracts');
    await folder('old', 'Old', 'contracts');
    await folder('older', 'Older', 'old');
    await folder('bens', 'Ben’s own', null, 'ben');
    await stage.createFile('lease', { name: 'Lease.pdf', folderId: 'old' });
    await group('legal', 'Legal', 'ben');
    await stage.project();
  });

  const folders = async (query: object, identity = ada): Promise<readonly Folder[]> => {
    const { status, body } = await stage.call('listFileFolders', identity, { query });
    assert.equal(status, 200);
    return (body as { readonly items: readonly Folder[] }).items;
  };
  const ids = async (query: object, identity = ada) => (await folders(query, identity)).map(({ folderId }) => folderId);
  const accessOf = async (identity = ada, of: 'file' | 'folder' = 'file'): Promise<Access> => {
    const [operation, params] =
      of === 'file' ? ['getFileAccess', { fileId: 'lease' }] : ['getFileFolderAccess', { folderId: 'old' }];
    const { status, body } = await stage.call(operation, identity, { params });
    assert.equal(status, 200);
    return body;
  };

  describe('folders', () => {
    it('are listed by name, at the top and in a folder', async () => {
      await folder('annex', 'annex');
      await stage.project();
      assert.deepEqual(await ids({ top: 'true' }), ['annex', 'contracts']);
      assert.deepEqual(await ids({ parentFolderId: 'contracts' }), ['old']);
      assert.deepEqual(await ids({}), ['annex', 'contracts', 'old', 'older']);
      assert.deepEqual(await ids({}, ben), ['bens']);
      assert.deepEqual(await ids({}, cem), []);
      assert.deepEqual(await ids({}, stranger), []);
      const [first] = await folders({ parentFolderId: 'contracts' });
      assert.deepEqual(
        [first?.name, first?.parentFolderId, first?.ownerId, first?.role],
        ['Old', 'contracts', 'ada', 'owner'],
      );
    });

    it('that are shared by themselves stand at the top, and name nothing above', async () => {
      await grant('g1', { folder: 'old' }, { principalId: 'ben', role: 'editor' });
      assert.deepEqual(await ids({ top: 'true' }, ben), ['bens', 'old']);
      assert.deepEqual(await ids({ parentFolderId: 'old' }, ben), ['older']);
      assert.deepEqual(await ids({ parentFolderId: 'contracts' }, ben), []);
      const { body } = await stage.call('getFileFolder', ben, { params: { folderId: 'older' } });
      const answer = body as Folder & { readonly path: unknown };
      assert.deepEqual(
        [answer.role, answer.parentFolderId, answer.path],
        ['editor', 'old', [{ folderId: 'old', name: 'Old' }]],
      );
      const own = await stage.call('getFileFolder', ada, { params: { folderId: 'older' } });
      assert.deepEqual((own.body as typeof answer).path, [
        { folderId: 'contracts', name: 'Contracts' },
        { folderId: 'old', name: 'Old' },
      ]);
    });

    it('are gone with the revoked grant, while the views are behind', async () => {
      await grant('g1', { folder: 'contracts' }, { principalId: 'ben' });
      assert.deepEqual(await ids({ top: 'true' }, ben), ['bens', 'contracts']);
      await stage.access({ type: 'GrantRevoked', data: { grantId: 'g1' as FileGrantId } });
      assert.deepEqual(await ids({ top: 'true' }, ben), ['bens']);
      const never = await stage.call('getFileFolder', ben, { params: { folderId: 'never' } });
      assert.equal(never.status, 404);
      for (const identity of [ben, stranger])
        assert.deepEqual(await stage.call('getFileFolder', identity, { params: { folderId: 'contracts' } }), never);
    });

    it('have no name before the view has it, and are there', async () => {
      await folder('fresh', 'Fresh');
      const fresh = (await folders({ top: 'true' })).find(({ folderId }) => folderId === 'fresh');
      assert.deepEqual([fresh?.name, fresh?.role], [null, 'owner']);
    });

    it('are read page by page by name, also when the last one of a page goes', async () => {
      for (const number of [10, 9, 1, 2]) await folder(`n${number}`, `Part ${number}`, 'older');
      await stage.project();
      const page = async (cursor?: string) => {
        const query = { parentFolderId: 'older', limit: 2, ...(cursor === undefined ? {} : { cursor }) };
        const { body } = await stage.call('listFileFolders', ada, { query });
        return body as { readonly items: readonly Folder[]; readonly next_cursor: string | null };
      };
      const first = await page();
      assert.deepEqual(
        first.items.map(({ name }) => name),
        ['Part 1', 'Part 2'],
      );
      await stage.access({ type: 'FolderTrashed', data: { folderId: 'n2' as FolderId } });
      const second = await page(first.next_cursor ?? '');
      assert.deepEqual(
        second.items.map(({ name }) => name),
        ['Part 9', 'Part 10'],
      );
      assert.equal(second.next_cursor, null);
      const other = { parentFolderId: 'old', cursor: first.next_cursor };
      assert.equal((await stage.call('listFileFolders', ada, { query: other })).status, 400);
    });

    it('refuse filters that contradict each other', async () => {
      for (const query of [
        { top: 'true', parentFolderId: 'old' },
        { trashed: 'true', top: 'true' },
        { trashed: 'true', parentFolderId: 'old' },
      ])
        assert.equal((await stage.call('listFileFolders', ada, { query })).status, 400, JSON.stringify(query));
    });
  });

  describe('the trash', () => {
    const trashed = async (identity = ada) => {
      const { status, body } = await stage.call('listFiles', identity, { query: { trashed: 'true' } });
      assert.equal(status, 200);
      return (body as { readonly items: readonly { fileId: string; filename: string; trashedAt: string }[] }).items;
    };

    it('has files that the caller may restore, and since when', async () => {
      assert.deepEqual(await trashed(), []);
      await grant('g1', { folder: 'old' }, { principalId: 'ben', role: 'editor' });
      await grant('g2', { folder: 'old' }, { principalId: 'cem' });
      await stage.access({ type: 'FileHidden', data: { fileId: 'lease' as FileId, reason: 'trashed' } });
      await stage.project();
      for (const identity of [ada, ben]) {
        const [item, ...others] = await trashed(identity);
        assert.deepEqual([item?.fileId, item?.filename, others], ['lease', 'Lease.pdf', []]);
        assert.ok(typeof item?.trashedAt === 'string');
      }
      for (const identity of [cem, stranger]) assert.deepEqual(await trashed(identity), []);
      await stage.access({ type: 'FileRevealed', data: { fileId: 'lease' as FileId, reason: 'trashed' } });
      assert.deepEqual(await trashed(), []);
    });

    it('does not have what is deleted or in quarantine as well', async () => {
      for (const reason of ['trashed', 'quarantined'] as const)
        await stage.access({ type: 'FileHidden', data: { fileId: 'lease' as FileId, reason } });
      await stage.project();
      assert.deepEqual(await trashed(), []);
    });

    it('has folders that the caller may restore, and nothing that lies in them', async () => {
      await grant('g1', { folder: 'contracts' }, { principalId: 'ben', role: 'editor' });
      await stage.access(
        { type: 'FileHidden', data: { fileId: 'lease' as FileId, reason: 'trashed' } },
        { type: 'FolderTrashed', data: { folderId: 'old' as FolderId } },
      );
      await stage.project();
      const [item, ...others] = await folders({ trashed: 'true' }, ben);
      assert.deepEqual([item?.folderId, item?.name, item?.parentFolderId, others], ['old', 'Old', 'contracts', []]);
      assert.ok(typeof item?.trashedAt === 'string');
      assert.deepEqual(await trashed(ben), []);
      assert.deepEqual(await ids({ trashed: 'true' }, cem), []);
      await stage.access({ type: 'FolderRestored', data: { folderId: 'old' as FolderId } });
      assert.deepEqual(await ids({ trashed: 'true' }, ben), []);
    });
  });

  describe('groups', () => {
    interface Group {
      readonly groupId: string;
      readonly name: string | null;
      readonly memberCount: number;
      readonly isMember: boolean;
      readonly isManaged: boolean;
      readonly members?: readonly { readonly principalId: string }[] | null;
    }
    const groups = async (identity = ada): Promise<readonly Group[]> => {
      const { body } = await stage.call('listFileGroups', identity);
      return (body as { readonly items: readonly Group[] }).items;
    };
    const get = async (identity = ada): Promise<Group> => {
      const { status, body } = await stage.call('getFileGroup', identity, { params: { groupId: 'legal' } });
      assert.equal(status, 200);
      return body;
    };

    it('are listed for all of the tenant, by name', async () => {
      await group('audit', 'Audit');
      await stage.project();
      for (const identity of [ada, ben, cem])
        assert.deepEqual(
          (await groups(identity)).map(({ name, memberCount }) => [name, memberCount]),
          [
            ['Audit', 0],
            ['Legal', 1],
          ],
        );
      assert.deepEqual(await groups(stranger), []);
    });

    it('show members to members, to the creator and to administrators', async () => {
      const members = async (identity = ada) => (await get(identity)).members?.map(({ principalId }) => principalId);
      const administrator = { ...cem, scopes: ['files:read', 'files:admin'] };
      for (const identity of [ada, ben, administrator]) assert.deepEqual(await members(identity), ['ben']);
      assert.equal((await get(cem)).members, null);
      const managed = await Promise.all([ada, ben, cem, administrator].map(async (one) => (await get(one)).isManaged));
      assert.deepEqual(managed, [true, false, false, true]);
    });

    it('that were deleted, or are of another tenant, answer as those that never were', async () => {
      const never = await stage.call('getFileGroup', ada, { params: { groupId: 'never' } });
      assert.equal(never.status, 404);
      assert.deepEqual(await stage.call('getFileGroup', stranger, { params: { groupId: 'legal' } }), never);
      await stage.access({ type: 'GroupDeleted', data: { groupId: 'legal' as GroupId } });
      assert.deepEqual(await stage.call('getFileGroup', ada, { params: { groupId: 'legal' } }), never);
    });
  });

  describe('who sees it', () => {
    const here: Origin = { type: 'file', id: 'lease', name: 'Lease.pdf', isInherited: false };
    const inContracts: Origin = { type: 'folder', id: 'contracts', name: 'Contracts', isInherited: true };

    beforeEach(async () => {
      await grant('g1', { folder: 'contracts' }, { principalId: 'legal', principalType: 'group', role: 'editor' });
      await grant('g2', { file: 'lease' }, { principalId: 'cem' });
      await stage.project();
    });

    it('has grants here and from above, and each principal with its role and reasons', async () => {
      const access = await accessOf();
      assert.deepEqual(
        access.grants.map(({ grantId, principalType, principalId, name, role, from }) => ({
          ...{ grantId, principalType, principalId, name, role, from },
        })),
        [
          { grantId: 'g2', principalType: 'user', principalId: 'cem', name: null, role: 'viewer', from: here },
          {
            ...{ grantId: 'g1', principalType: 'group', principalId: 'legal', name: 'Legal', role: 'editor' },
            from: inContracts,
          },
        ],
      );
      assert.deepEqual([access.ownerId, access.role, access.everyone, access.isComplete], ['ada', 'owner', null, true]);
      assert.deepEqual(
        access.principals.map(({ principalId, role, reasons }) => [principalId, role, reasons.length]),
        [
          ['ada', 'owner', 3],
          ['ben', 'editor', 1],
          ['cem', 'viewer', 1],
        ],
      );
      assert.deepEqual(access.principals[1]?.reasons, [
        { kind: 'grant', role: 'editor', groupId: 'legal', groupName: 'Legal', from: inContracts },
      ]);
      assert.equal((await accessOf(ben)).role, 'editor');
    });

    it('tells a viewer of the file who sees it, and nothing of folders that are not shared', async () => {
      const access = await accessOf(cem);
      assert.deepEqual(
        access.grants.map(({ grantId }) => grantId),
        ['g2'],
      );
      const ofBen = access.principals.find(({ principalId }) => principalId === 'ben');
      assert.deepEqual(ofBen?.reasons[0]?.from, { type: 'folder', id: null, name: null, isInherited: true });
    });

    it('names the whole tenant apart', async () => {
      await grant('g3', { folder: 'old' }, { principalId: 'acme', principalType: 'tenant' });
      const { everyone, principals } = await accessOf();
      assert.equal(everyone?.role, 'viewer');
      assert.equal(everyone.reasons[0]?.from.name, 'Old');
      assert.equal(principals.length, 3);
      assert.equal((await accessOf(reader('dora'))).role, 'viewer');
    });

    it('of a folder has what counts for it', async () => {
      const { grants, principals } = await accessOf(ada, 'folder');
      assert.deepEqual(
        grants.map(({ grantId, from }) => [grantId, from.isInherited]),
        [['g1', true]],
      );
      assert.deepEqual(
        principals.map(({ principalId }) => principalId),
        ['ada', 'ben'],
      );
    });

    it('is for those who may read it', async () => {
      for (const [operation, never, params, identities] of [
        ['getFileAccess', { fileId: 'never' }, { fileId: 'lease' }, [reader('dora'), stranger]],
        ['getFileFolderAccess', { folderId: 'never' }, { folderId: 'old' }, [cem, stranger]],
      ] as const) {
        const unknown = await stage.call(operation, ada, { params: never });
        assert.equal(unknown.status, 404);
        for (const identity of identities)
          assert.deepEqual(await stage.call(operation, identity, { params }), unknown, operation);
      }
      await stage.access({ type: 'GrantRevoked', data: { grantId: 'g2' as FileGrantId } });
      assert.equal((await stage.call('getFileAccess', cem, { params: { fileId: 'lease' } })).status, 404);
    });
  });
});
