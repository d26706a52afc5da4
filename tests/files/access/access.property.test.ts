/** Access against a second, naive way to compute it, after whatever commands. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isLeft, isRight } from 'fp-ts/Either';
import { type AccessLevel, audienceOf, levelsOfFile, levelsOfFolder } from '../../../domain/files/access/audience';
import { fileAccessRules } from '../../../domain/files/access/decider';
import { filesByName, placedFile, readableFolders, roleInFile, roleInFolder } from '../../../domain/files/access/state';
import type { FolderId } from '../../../domain/files/ids';
import { type FileRole, higherRole } from '../../../domain/files/roles';
import { fold } from '../../../domain/kernel/decider';
import { findValue } from '../../../domain/kernel/persistent-map';
import {
  accessCommands,
  type Course,
  commandSequences,
  courseOf,
  folderIds,
  modelFiles,
  naiveAccess,
  principals,
} from '../../support/retrieval/access-model';

const holds = (check: (course: Course) => void): void =>
  fc.assert(
    fc.property(commandSequences, (sequence) => check(courseOf(sequence))),
    { numRuns: 300 },
  );

describe('access, after whatever commands', () => {
  it('has folders that are a tree', () =>
    holds(({ state }) => {
      for (const start of folderIds) {
        const above = new Set<FolderId>();
        for (let next: FolderId | null = start; next !== null; ) {
          assert.ok(!above.has(next), 'a folder is within itself');
          above.add(next);
          const folder: { readonly parentFolderId: FolderId | null } | undefined = findValue(state.folders, next);
          assert.ok(folder !== undefined || next === start, 'a folder is within one that there is not');
          next = folder?.parentFolderId ?? null;
        }
      }
    }));

  it('has one owner of every folder and file', () =>
    holds(({ state }) => {
      for (const id of folderIds) {
        const folder = findValue(state.folders, id);
        assert.ok(folder === undefined || principals.includes(folder.ownerId));
      }
      for (const one of modelFiles) assert.ok(principals.includes(placedFile(state, one).ownerId));
    }));

  it('has the roles that its events say', () =>
    holds(({ state, events }) => {
      const model = naiveAccess(events);
      for (const principal of [...principals, 'nobody']) {
        for (const one of modelFiles) assert.equal(roleInFile(state, principal, one), model.roleInFile(principal, one));
        for (const id of folderIds)
          assert.equal(roleInFolder(state, principal, id), model.roleInFolder(principal, id), `${principal} ${id}`);
      }
    }));

  it('lists the folders that a principal has a role in', () =>
    holds(({ state }) => {
      for (const principal of [...principals, 'nobody']) {
        const listed = readableFolders(state, principal);
        for (const id of folderIds) assert.equal(listed.get(id), roleInFolder(state, principal, id));
      }
    }));

  it('explains each role by its reasons, and admits no other principal', () =>
    holds(({ state }) => {
      const explained = (levels: readonly AccessLevel[], principal: string): FileRole | undefined => {
        const { principals: admitted, everyone } = audienceOf(state, levels);
        const reasons = [...(admitted.get(principal)?.reasons ?? []), ...(everyone?.reasons ?? [])];
        const highest = reasons.reduce<FileRole | undefined>((before, one) => higherRole(before, one.role), undefined);
        assert.equal(higherRole(admitted.get(principal)?.role, everyone?.role), highest);
        return highest;
      };
      for (const principal of [...principals, 'nobody']) {
        for (const id of folderIds)
          assert.equal(explained(levelsOfFolder(state, id), principal), roleInFolder(state, principal, id));
        for (const one of modelFiles) {
          // What is hidden has no readers, and is not explained.
          if (placedFile(state, one).hidden.length > 0) continue;
          const isCut = roleInFile(state, placedFile(state, one).ownerId, one) === undefined;
          if (!isCut) assert.equal(explained(levelsOfFile(state, one), principal), roleInFile(state, principal, one));
        }
      }
    }));

  it('deletes nothing for ever that is held, and by itself only what is in the trash', () =>
    holds(({ events }) => {
      for (const [at, { type, data }] of events.entries()) {
        if (type !== 'FilePurged' && !(type === 'FileHidden' && data.reason === 'deleted')) continue;
        const before = naiveAccess(events.slice(0, at));
        const file = modelFiles.find(({ fileId }) => fileId === data.fileId);
        assert.ok(file !== undefined && !before.isHeld(file));
        assert.ok(type === 'FileHidden' || before.isInTrash(file));
      }
    }));

  it('finds every readable file by its name, its folder as created, or its owner', () =>
    holds(({ state }) => {
      for (const principal of principals) {
        const folders = readableFolders(state, principal);
        const names = new Set(filesByName(state, principal, folders));
        for (const one of modelFiles) {
          if (roleInFile(state, principal, one) === undefined) continue;
          const isLed = one.ownerId === principal || (one.folderId !== null && folders.has(one.folderId));
          assert.ok(isLed || names.has(one.fileId));
        }
      }
    }));

  it('is not changed by a command that is repeated', () =>
    fc.assert(
      fc.property(commandSequences, accessCommands, (sequence, command) => {
        const { state } = courseOf(sequence);
        const first = fileAccessRules.decide(command, state);
        if (isLeft(first)) return;
        // A caller without access after its own command may not repeat it.
        const second = fileAccessRules.decide(command, fold(fileAccessRules, state, first.right));
        assert.deepEqual(isRight(second) ? second.right : [], []);
      }),
      { numRuns: 300 },
    ));

  it('is not given by the refusal to anyone without a role', () =>
    fc.assert(
      fc.property(commandSequences, accessCommands, (sequence, command) => {
        const { state } = courseOf(sequence);
        const decision = fileAccessRules.decide(command, state);
        if (!isLeft(decision) || decision.left.code !== 'role-too-low' || !('by' in command)) return;
        const roles = [
          ...folderIds.map((id) => roleInFolder(state, command.by, id)),
          ...modelFiles.map((one) => roleInFile(state, command.by, one)),
        ];
        const isOfHidden = ['TrashFolder', 'RestoreFolder', 'TrashFile', 'RestoreFile', 'DeleteFile'];
        assert.ok(roles.some((one) => one !== undefined) || isOfHidden.includes(command.type));
      }),
    ));
});
