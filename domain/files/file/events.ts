/** Events of a file: its name and its versions. Where it lies and who sees it is in the access stream. */
import * as t from 'io-ts';
import { Instant, integer, nameText, nullable, record, text } from '../../kernel/codec';
import { aggregate } from '../../kernel/family';
import { PrincipalId } from '../../kernel/ids';
import { secret } from '../../kernel/secret';
import { Sha256 } from '../content/content-reference';
import { FileId, FolderId, VersionId } from '../ids';
import { PipelineVersion } from '../pipeline';

export const FileName = nameText('Filename', { maxLength: 255, examples: ['Lease 2026.pdf'] });
export const MediaType = text('MediaType', {
  maxLength: 127,
  pattern: '[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+',
  examples: ['application/pdf'],
});

const file = { fileId: FileId };
const version = { ...file, versionId: VersionId };

export const files = aggregate(
  { context: 'files', name: 'file', id: FileId },
  {
    FileCreated: {
      v: 1,
      data: {
        ...file,
        name: secret(FileName, 'fileId'),
        mimeType: MediaType,
        /** Null: at the top, seen by its owner. */
        folderId: nullable(FolderId),
        ownerId: PrincipalId,
      },
    },
    FileRenamed: { v: 1, data: { ...file, name: secret(FileName, 'fileId') } },
    /** An upload session: bytes of exactly this size may be stored until it expires. */
    VersionOpened: {
      v: 1,
      data: {
        ...version,
        versionNumber: integer(1),
        sizeBytes: integer(1),
        mimeType: MediaType,
        openedBy: PrincipalId,
        expiresAt: Instant,
        isInParts: t.boolean,
      },
    },
    /** The bytes are stored; whether their SHA-256 is the claimed one is found by the first stage. */
    VersionUploaded: {
      v: 1,
      data: {
        ...version,
        sizeBytes: integer(1),
        mimeType: MediaType,
        checksumSha256: Sha256,
        etag: text('VersionEtag', { maxLength: 200 }),
        completedBy: PrincipalId,
      },
    },
    VersionExpired: { v: 1, data: version },
    /** It was indexed after a newer one answered, by which it never will. */
    VersionSuperseded: { v: 1, data: { ...version, pipelineVersion: PipelineVersion } },
    /** It is the one that answers now; the one that it replaces never does again. */
    VersionActivated: {
      v: 1,
      data: {
        ...version,
        versionNumber: integer(1),
        sizeBytes: integer(1),
        mimeType: MediaType,
        pipelineVersion: PipelineVersion,
        /** False: it is found by its words only. */
        isComplete: t.boolean,
        replaced: nullable(record('ReplacedVersion', { versionId: VersionId, pipelineVersion: PipelineVersion })),
      },
    },
  },
);
export type FileEvent = typeof files.Event;

export const { stream: fileStream } = files;
