/** GET /v1/files/:fileId/content: a signed address of a version's bytes. They are saved, never shown: nothing of them runs on this origin. */
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { versionKey } from '../../domain/files/content/keys';
import { FileId, VersionId } from '../../domain/files/ids';
import { Instant, integer, record } from '../../domain/kernel/codec';
import type { BlobStore } from '../../infra/ports/blob-store';
import { problemOf } from '../../infra/server/http/problem';
import { route } from '../../infra/server/http/routing/route';
import { blobProblems } from './blob-problems';
import { FilePath, type FileReading, readProblems, requireReadableFile, scopes, versionUnknown } from './file-reading';
import { namesOf } from './files';
import { statusVersionOf } from './status';

export interface ContentReading extends FileReading {
  readonly blobs: Pick<BlobStore, 'get' | 'signGet'>;
}

/** A download that is begun within it goes on. */
const signedSeconds = 300;

const FileAddress = record('FileAddress', {
  fileId: FileId,
  versionId: VersionId,
  url: t.string,
  expiresAt: Instant,
  sizeBytes: integer(1),
});

export const getFileContent = route<ContentReading>()({
  method: 'get',
  path: '/v1/files/:fileId/content',
  operation: 'getFileContent',
  summary: 'Get a signed address of the bytes of a file',
  description:
    'The address is valid for five minutes, and serves the bytes as an attachment. Of the version that answers or, until one does, of the newest; `versionId` names another.',
  access: { scopes },
  params: FilePath,
  query: record('FileContentQuery', {}, { versionId: VersionId }),
  answers: { 200: { description: 'Where the bytes are.', body: FileAddress } },
  problems: { ...readProblems, ...blobProblems },
  handle: async (reading, { params: { fileId }, query: { versionId }, identity }) => {
    const found = await requireReadableFile(reading, identity, fileId);
    if (isLeft(found)) return found.left;
    const { file, tenant } = found.right;
    const version = statusVersionOf(file, versionId);
    if (version === undefined || typeof version.upload === 'string') return versionUnknown;
    const names = await namesOf(reading, tenant, [fileId]);
    if (isLeft(names)) return problemOf(names.left, {});
    const name = names.right[0] ?? fileId;
    const signed = await reading.blobs.signGet({
      key: versionKey(tenant, fileId, version.versionId),
      seconds: signedSeconds,
      contentType: 'application/octet-stream',
      contentDisposition: attachmentOf(name),
    });
    if (isLeft(signed)) return problemOf(signed.left, blobProblems);
    const { url, expiresAt } = signed.right;
    const { sizeBytes } = version;
    return { status: 200, body: { fileId, versionId: version.versionId, url, expiresAt, sizeBytes } };
  },
});

/** RFC 6266 and RFC 8187, which leaves fewer characters as they are than a URL does. Clients that trust the name with a path are led nowhere. */
const attachmentOf = (name: string): string => {
  const escaped = encodeURIComponent(name.toWellFormed().replace(/[/\\]/g, '_')).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename*=UTF-8''${escaped}`;
};
