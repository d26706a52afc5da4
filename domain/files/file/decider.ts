/** A file is created with its first version. Versions are uploaded, processed, and answer one at a time. */
import { type Either, right } from 'fp-ts/Either';
import type { Instant } from '../../kernel/codec';
import type { Decider } from '../../kernel/decider';
import type { PrincipalId } from '../../kernel/ids';
import { type Rejection, reject } from '../../kernel/rejection';
import type { FileId, FolderId, VersionId } from '../ids';
import { fileLimits } from '../limits';
import { type FileEvent, files } from './events';
import { type CreatedFileState, evolve, type FileState, noFile } from './state';

interface Named {
  readonly fileId: FileId;
}

export interface NewVersion {
  readonly versionId: VersionId;
  readonly sizeBytes: number;
  readonly mimeType: string;
  readonly openedBy: PrincipalId;
  readonly expiresAt: Instant;
  readonly isInParts: boolean;
}

export type FileCommand =
  | (Named & {
      readonly type: 'CreateFile';
      readonly name: string;
      readonly folderId: FolderId | null;
      readonly version: NewVersion;
    })
  | (Named & { readonly type: 'RenameFile'; readonly name: string })
  | (Named & { readonly type: 'OpenVersion'; readonly version: NewVersion })
  | (Named & {
      readonly type: 'CompleteVersion';
      readonly versionId: VersionId;
      readonly checksumSha256: string;
      readonly etag: string;
      readonly completedBy: PrincipalId;
      readonly at: Instant;
    })
  | (Named & { readonly type: 'ExpireVersion'; readonly versionId: VersionId; readonly at: Instant })
  | (Named & {
      readonly type: 'ActivateVersion';
      readonly versionId: VersionId;
      readonly pipelineVersion: number;
      /** False: it is found by its words only, which is better than nothing, and worse than the version before. */
      readonly isComplete: boolean;
    });

export type FileRejection =
  | 'file-unknown'
  | 'version-unknown'
  | 'version-expired'
  | 'version-completed'
  | 'too-many-versions';

type Decision = Either<Rejection<FileRejection>, readonly FileEvent[]>;
type CommandOf<Type extends FileCommand['type']> = Extract<FileCommand, { type: Type }>;

const unknown = (): Decision => reject('file-unknown', 'There is no such file, or it is not shared with the caller.');

const opened = (fileId: FileId, versionNumber: number, version: NewVersion): FileEvent => ({
  type: 'VersionOpened',
  data: { fileId, versionNumber, ...version },
});

const create = ({ fileId, name, folderId, version }: CommandOf<'CreateFile'>, state: FileState): Decision => {
  if (state.kind !== 'none') return right([]);
  const { mimeType, openedBy } = version;
  const created: FileEvent = { type: 'FileCreated', data: { fileId, name, mimeType, folderId, ownerId: openedBy } };
  return right([created, opened(fileId, 1, version)]);
};

const open = ({ fileId, version }: CommandOf<'OpenVersion'>, { versions }: CreatedFileState): Decision => {
  if (versions.some(({ versionId }) => versionId === version.versionId)) return right([]);
  if (versions.length >= fileLimits.versions)
    return reject('too-many-versions', `A file has ${fileLimits.versions} versions at most.`);
  return right([opened(fileId, versions.length + 1, version)]);
};

/** Repeated with the same checksum it has no effect; with another one it is refused. */
const complete = (command: CommandOf<'CompleteVersion'>, { versions }: CreatedFileState): Decision => {
  const { fileId, versionId, checksumSha256, etag, completedBy, at } = command;
  const version = versions.find((one) => one.versionId === versionId);
  if (version === undefined) return reject('version-unknown', 'The file has no such version.');
  const { upload, sizeBytes, mimeType, expiresAt } = version;
  if (typeof upload === 'object')
    return upload.checksumSha256 === checksumSha256
      ? right([])
      : reject('version-completed', 'The version was completed with another checksum.');
  if (upload === 'expired' || expiresAt <= at)
    return reject('version-expired', 'The upload session has expired; begin a new one.');
  return right([
    { type: 'VersionUploaded', data: { fileId, versionId, sizeBytes, mimeType, checksumSha256, etag, completedBy } },
  ]);
};

const expire = ({ fileId, versionId, at }: CommandOf<'ExpireVersion'>, { versions }: CreatedFileState): Decision => {
  const version = versions.find((one) => one.versionId === versionId);
  const isDue = version?.upload === 'open' && version.expiresAt <= at;
  return right(isDue ? [{ type: 'VersionExpired', data: { fileId, versionId } }] : []);
};

/** A version that was finished late does not take the place of a newer one: it is superseded. */
const activate = (command: CommandOf<'ActivateVersion'>, state: CreatedFileState): Decision => {
  const { fileId, versionId, pipelineVersion, isComplete } = command;
  const { versions, active, superseded } = state;
  const version = versions.find((one) => one.versionId === versionId);
  if (version === undefined) return reject('version-unknown', 'The file has no such version.');
  const indexed = { versionId, pipelineVersion };
  const before = versions.find((one) => one.versionId === active?.versionId);
  const order =
    active === undefined
      ? 1
      : version.versionNumber - (before?.versionNumber ?? 0) || pipelineVersion - active.pipelineVersion;
  if (order < 0) {
    const isKnown = superseded.some((one) => one.versionId === versionId && one.pipelineVersion === pipelineVersion);
    return right(isKnown ? [] : [{ type: 'VersionSuperseded', data: { fileId, ...indexed } }]);
  }
  if (order === 0 || (active !== undefined && !isComplete)) return right([]);
  const { versionNumber, sizeBytes, mimeType } = version;
  const activated = { fileId, ...indexed, versionNumber, sizeBytes, mimeType, isComplete, replaced: active ?? null };
  return right([{ type: 'VersionActivated', data: activated }]);
};

const decide = (command: FileCommand, state: FileState): Decision => {
  if (command.type === 'CreateFile') return create(command, state);
  if (state.kind === 'none') return unknown();
  switch (command.type) {
    case 'RenameFile':
      return right(
        state.name === command.name
          ? []
          : [{ type: 'FileRenamed', data: { fileId: command.fileId, name: command.name } }],
      );
    case 'OpenVersion':
      return open(command, state);
    case 'CompleteVersion':
      return complete(command, state);
    case 'ExpireVersion':
      return expire(command, state);
    case 'ActivateVersion':
      return activate(command, state);
  }
};

export const file: Decider<FileCommand, FileState, FileEvent, FileRejection> = {
  family: files,
  initial: noFile,
  evolve,
  decide,
};
