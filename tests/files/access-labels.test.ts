/** Labels that queries are filtered by, against roles: for any folders, grants, groups, moves and owners they never miss a file. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isRight } from 'fp-ts/Either';
import type { FileAccessCommand } from '../../domain/files/access/commands';
import { fileAccessRules } from '../../domain/files/access/decider';
import { explainAccess } from '../../domain/files/access/explain';
import { fileOfLabels, labelsOfFile } from '../../domain/files/access/labels';
import { folderScope, labelsReadableBy } from '../../domain/files/access/readable-labels';
import {
  type CreatedFile,
  type FileAccessState,
  noAccess,
  placedFile,
  roleInFile,
} from '../../domain/files/access/state';
import type { FileGrantId, FileId, FolderId, GroupId } from '../../domain/files/ids';
import { fold } from '../../domain/kernel/decider';
import type { PrincipalId } from '../../domain/kernel/ids';
import { accessFilter } from '../../read-api/files/search/access-filter';

const principals = ['ada', 'ben', 'cem'] as PrincipalId[];
const folders = ['f1', 'f2', 'f3', 'f4'] as FolderId[];
const groups = ['g1', 'g2'] as GroupId[];
const fileIds = ['a', 'b', 'c'] as FileId[];

const principal = fc.constantFrom(...principals);
const folder = fc.constantFrom(...folders);
const place = fc.option(folder, { nil: null });
const group = fc.constantFrom(...groups);
const grantIds = ['r1', 'r2', 'r3', 'r4', 'r5', 'r6'] as FileGrantId[];

const createdFiles = fc
  .tuple(...fileIds.map((fileId) => fc.record({ fileId: fc.constant(fileId), ownerId: principal, folderId: place })))
  .map((files): readonly CreatedFile[] => files);

const grantee = fc.oneof(
  fc.record({ principalType: fc.constant('user' as const), principalId: principal as fc.Arbitrary<string> }),
  fc.record({ principalType: fc.constant('group' as const), principalId: group as fc.Arbitrary<string> }),
  fc.record({ principalType: fc.constant('tenant' as const), principalId: fc.constant('acme') }),
);

const resourceOf = (files: readonly CreatedFile[]) =>
  fc.oneof(
    fc.constantFrom(...files).map((file) => ({ type: 'file' as const, file })),
    folder.map((folderId) => ({ type: 'folder' as const, folderId })),
  );

const commandsOn = (files: readonly CreatedFile[]): fc.Arbitrary<FileAccessCommand> => {
  const by = principal;
  const file = fc.constantFrom(...files);
  const role = fc.constantFrom('editor' as const, 'viewer' as const);
  const grant = { by, grantId: fc.constantFrom(...grantIds), resource: resourceOf(files) };
  const ofGroup = { by, groupId: group, isAdministrator: fc.constant(true) };
  const type = <const Type extends string>(...types: readonly Type[]) => fc.constantFrom(...types);
  return fc.oneof(
    fc.record({ type: type('CreateFolder'), by, folderId: folder, name: fc.constant('n'), parentFolderId: place }),
    fc.record({ type: type('MoveFolder'), by, folderId: folder, parentFolderId: place }),
    fc.record({ type: type('TrashFolder', 'RestoreFolder'), by, folderId: folder }),
    fc.record({ type: type('ChangeFolderOwner'), by, folderId: folder, ownerId: principal }),
    fc
      .record({ type: type('AddGrant'), ...grant, grantee, role })
      .map(({ grantee: named, ...rest }) => ({ ...rest, ...named })),
    fc.record({ type: type('RevokeGrant'), ...grant }),
    fc.record({ type: type('CreateGroup'), by, groupId: group, name: fc.constant('n') }),
    fc.record({ type: type('DeleteGroup'), ...ofGroup }),
    fc.record({ type: type('AddGroupMember', 'RemoveGroupMember'), ...ofGroup, principalId: principal }),
    fc.record({ type: type('MoveFile'), by, file, folderId: place }),
    fc.record({ type: type('ChangeFileOwner'), by, file, ownerId: principal }),
    fc.record({ type: type('TrashFile', 'RestoreFile'), by, file }),
    fc.record({
      type: type('HideFile', 'RevealFile'),
      fileId: fc.constantFrom(...fileIds),
      reason: fc.constant('quarantined' as const),
    }),
  );
};

const apply = (state: FileAccessState, command: FileAccessCommand): FileAccessState => {
  const decided = fileAccessRules.decide(command, state);
  return isRight(decided) ? fold(fileAccessRules, state, decided.right) : state;
};

interface History {
  readonly files: readonly CreatedFile[];
  /** The state after each command. */
  readonly states: readonly FileAccessState[];
}

const setUp: readonly FileAccessCommand[] = folders.map((folderId, at) => ({
  type: 'CreateFolder',
  by: principals[at % principals.length] as PrincipalId,
  folderId,
  name: 'n',
  parentFolderId: null,
}));

const histories: fc.Arbitrary<History> = createdFiles
  .chain((files) => fc.record({ files: fc.constant(files), commands: fc.array(commandsOn(files), { maxLength: 60 }) }))
  .map(({ files, commands }) => {
    const states: FileAccessState[] = [noAccess];
    for (const command of [...setUp, ...commands]) states.push(apply(states.at(-1) as FileAccessState, command));
    return { files, states };
  });

/** Every file with the labels that its row may have: of any moment since it was created. */
const labelledFiles = ({ files, states }: History) =>
  files.flatMap((file) => states.map((then) => ({ file, aclPrincipals: labelsOfFile(placedFile(then, file)) })));

const overlap = (one: readonly string[], other: readonly string[]): boolean =>
  one.some((label) => other.includes(label));

describe('access labels of files', () => {
  it('never miss a file that the principal may read, and with the check of roles admit no other', () => {
    let [admitted, refused] = [0, 0];
    fc.assert(
      fc.property(histories, (history) => {
        const now = history.states.at(-1) as FileAccessState;
        for (const principalId of principals) {
          const labels = labelsReadableBy(now, principalId);
          const { admits } = accessFilter(now, { principalId, scope: {}, labelsOf: labelsReadableBy });
          for (const { file, aclPrincipals } of labelledFiles(history)) {
            const isReadable = roleInFile(now, principalId, file) !== undefined;
            if (isReadable) assert.ok(overlap(labels, aclPrincipals), `${principalId} misses ${file.fileId}`);
            assert.equal(overlap(labels, aclPrincipals) && admits({ aclPrincipals }), isReadable);
            if (isReadable) admitted += 1;
            else refused += 1;
          }
        }
      }),
      { numRuns: 300 },
    );
    // Both happen often enough for the property to be a test.
    assert.ok(admitted > 1_000 && refused > 1_000, `${admitted} admitted, ${refused} refused`);
  });

  it('give the role that the file gives, whenever they were written', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const now = history.states.at(-1) as FileAccessState;
        for (const principalId of principals)
          for (const { file, aclPrincipals } of labelledFiles(history)) {
            const labelled = fileOfLabels(aclPrincipals);
            assert.ok(labelled !== undefined);
            assert.equal(roleInFile(now, principalId, labelled), roleInFile(now, principalId, file));
          }
      }),
      { numRuns: 200 },
    );
  });

  it('of folders, with those in them, find every file that lies there now, and only in folders that may be read', () => {
    let within = 0;
    fc.assert(
      fc.property(histories, principal, fc.uniqueArray(folder, { minLength: 1 }), (history, principalId, roots) => {
        const now = history.states.at(-1) as FileAccessState;
        const scope = folderScope(now, principalId, roots);
        for (const { file, aclPrincipals } of labelledFiles(history)) {
          const isReadable = roleInFile(now, principalId, file) !== undefined;
          if (!isReadable || !scope.contains(file)) continue;
          within += 1;
          assert.ok(overlap(scope.labels, aclPrincipals), `${file.fileId} is missed`);
          assert.notEqual(placedFile(now, file).folderId, null);
        }
      }),
      { numRuns: 200 },
    );
    assert.ok(within > 100, String(within));
  });

  it('go with an explanation that has the role, and a way to it where there is one', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const now = history.states.at(-1) as FileAccessState;
        for (const principalId of principals)
          for (const file of history.files) {
            const { role, paths } = explainAccess(now, principalId, file);
            assert.equal(role, roleInFile(now, principalId, file));
            if (role !== undefined) assert.ok(paths.some((path) => path.role === role));
          }
      }),
      { numRuns: 200 },
    );
  });

  it('are none of a file where they are not whole', () => {
    assert.equal(fileOfLabels(['file:a']), undefined);
    assert.equal(fileOfLabels(['user:ada', 'folder:f1']), undefined);
  });
});
