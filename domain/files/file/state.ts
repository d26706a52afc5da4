/** State of a file, as far as decisions and reads need it, and its fold. */
import type { Instant } from '../../kernel/codec';
import type { PrincipalId } from '../../kernel/ids';
import type { Forgotten } from '../../kernel/secret';
import type { FileId, FolderId, VersionId } from '../ids';
import type { FileEvent } from './events';

/** What answers: a version, as a version of the pipeline processed it. */
export interface ActiveVersion {
  readonly versionId: VersionId;
  readonly pipelineVersion: number;
}

export interface FileVersion {
  readonly versionId: VersionId;
  readonly versionNumber: number;
  readonly sizeBytes: number;
  readonly mimeType: string;
  readonly isInParts: boolean;
  readonly expiresAt: Instant;
  readonly upload: 'open' | 'expired' | { readonly checksumSha256: string; readonly etag: string };
}

export interface CreatedFileState {
  readonly kind: 'created';
  readonly fileId: FileId;
  readonly name: string | Forgotten;
  readonly mimeType: string;
  /** As it was created: the access stream has what changed since. */
  readonly ownerId: PrincipalId;
  readonly folderId: FolderId | null;
  readonly versions: readonly FileVersion[];
  readonly active: ActiveVersion | undefined;
  /** Versions that were indexed too late to answer. */
  readonly superseded: readonly ActiveVersion[];
}

export type FileState = { readonly kind: 'none' } | CreatedFileState;

export const noFile: FileState = { kind: 'none' };

const withUpload = (
  state: CreatedFileState,
  versionId: VersionId,
  upload: FileVersion['upload'],
): CreatedFileState => ({
  ...state,
  versions: state.versions.map((one) => (one.versionId === versionId ? { ...one, upload } : one)),
});

export const evolve = (state: FileState, { type, data }: FileEvent): FileState => {
  if (type === 'FileCreated') {
    const { fileId, name, mimeType, ownerId, folderId } = data;
    return {
      kind: 'created',
      fileId,
      name,
      mimeType,
      ownerId,
      folderId,
      versions: [],
      active: undefined,
      superseded: [],
    };
  }
  if (state.kind === 'none') return state;
  switch (type) {
    case 'FileRenamed':
      return { ...state, name: data.name };
    case 'VersionOpened': {
      const { versionId, versionNumber, sizeBytes, mimeType, isInParts, expiresAt } = data;
      const version = { versionId, versionNumber, sizeBytes, mimeType, isInParts, expiresAt, upload: 'open' as const };
      return { ...state, versions: [...state.versions, version] };
    }
    case 'VersionUploaded':
      return withUpload(state, data.versionId, { checksumSha256: data.checksumSha256, etag: data.etag });
    case 'VersionExpired':
      return withUpload(state, data.versionId, 'expired');
    case 'VersionSuperseded': {
      const { versionId, pipelineVersion } = data;
      return { ...state, superseded: [...state.superseded, { versionId, pipelineVersion }] };
    }
    case 'VersionActivated':
      return { ...state, active: { versionId: data.versionId, pipelineVersion: data.pipelineVersion } };
  }
};
