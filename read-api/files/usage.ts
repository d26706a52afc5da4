/** GET /v1/file-usage: what the files of the tenant take up, and what they may. */
import { isLeft } from 'fp-ts/Either';
import { limitsOf, reservedBytes } from '../../domain/files/storage/state';
import { integer, record } from '../../domain/kernel/codec';
import { readStorage, storageRules } from '../../infra/server/files/storage-usage';
import { problemOf } from '../../infra/server/http/problem';
import { route } from '../../infra/server/http/routing/route';
import { type FileReading, readProblems, scopes, tenantOf } from './file-reading';

const FileUsage = record('FileUsage', {
  /** Of completed uploads, with all versions, until their file is deleted for ever. */
  usedBytes: integer(0),
  /** Of open upload sessions. */
  reservedBytes: integer(0),
  limitBytes: integer(0),
  /** Created and not deleted. */
  files: integer(0),
  limitFiles: integer(0),
  openUploads: integer(0),
});

export const getFileUsage = route<Pick<FileReading, 'source'>>()({
  method: 'get',
  path: '/v1/file-usage',
  operation: 'getFileUsage',
  summary: 'Get how much storage the files of the tenant use',
  description:
    'An upload session reserves its size. It is used once the upload is completed, and free again when the session expires or the file is deleted for ever; what is in the trash is used. What is made of files (text, passages, vectors) does not count.',
  access: { scopes },
  answers: { 200: { description: 'As of now.', body: FileUsage } },
  problems: { 'event-store-unavailable': readProblems['event-store-unavailable'] },
  handle: async ({ source }, { identity }) => {
    const tenant = tenantOf(identity);
    if (isLeft(tenant)) return tenant.left;
    const storage = await readStorage(source, storageRules, tenant.right);
    if (isLeft(storage)) return problemOf(storage.left, {});
    const { usedBytes, files, reservations } = storage.right;
    const limits = limitsOf(storage.right);
    const sums = { usedBytes, reservedBytes: reservedBytes(storage.right), limitBytes: limits.bytes };
    return { status: 200, body: { ...sums, files, limitFiles: limits.files, openUploads: reservations.size } };
  },
});
