/** Archives on the write side: one is opened, its parts are signed for the browser, and it is stored. */
import { createHash } from 'node:crypto';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { type CommandDeps, commandRoute } from '../../../../commands/kernel/command-route';
import { commandContext } from '../../../../commands/kernel/context';
import { integer, record, text } from '../../../../domain/kernel/codec';
import { blobVariables, openBlobs } from '../../../../infra/adapters/blobs/open-blob-store';
import type { BlobStore, Upload } from '../../../../infra/ports/blob-store';
import { type Problem, problem, problemOf } from '../../../../infra/server/http/problem';
import { type BoundRoute, bind, route } from '../../../../infra/server/http/routing/route';
import { optional, variables } from '../../../../infra/server/runtime/config';
import { ArchiveId, ArchiveName, archive, archiveStream, uploadKey } from './domain';

interface Deps extends CommandDeps {
  readonly blobs: BlobStore;
}

const scopes = ['archives:write'];
const partSize = 5 * 1_024 * 1_024;
const signedSeconds = 600;

const unknown = { 'archive-unknown': { status: 404, title: 'The archive is not known' } } as const;
const stores = {
  'upload-unknown': { status: 404, title: 'The upload is not known' },
  'upload-part-refused': { status: 422, title: 'The part cannot be uploaded' },
  'blob-too-large': { status: 413, title: 'The archive is too large' },
  'blob-unknown': { status: 404, title: 'The archive is not stored' },
  'blob-key-refused': { status: 400, title: 'The id is not one of an archive' },
  'blob-store-unavailable': { status: 503, title: 'The object store is unavailable' },
  'blob-store-full': { status: 507, title: 'The object store is full' },
  'blob-call-aborted': { status: 503, title: 'The object store did not answer in time' },
  'blob-damaged': { status: 500, title: 'The archive is damaged' },
} as const;

const ArchiveParams = record('ArchiveParams', { archiveId: ArchiveId });
const Etag = text('Etag', { minLength: 1, maxLength: 200 });

/** The same for the same file of the same person, so that an upload is found again. */
const archiveIdOf = (...parts: readonly (string | number)[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);

const openArchive = commandRoute<Deps>()({
  method: 'post',
  path: '/v1/archives',
  operation: 'openArchive',
  summary: 'Begin to upload an archive, or find what was begun.',
  scopes,
  sensitive: false,
  body: record('OpenArchive', { name: ArchiveName, size: integer(1), lastModified: integer(0) }),
  answer: record('OpenedArchive', { archiveId: ArchiveId }),
  decider: archive,
  problems: unknown,
  prepare: ({ body: { name, size, lastModified }, tenantId, identity }) => {
    const archiveId = archiveIdOf(tenantId, identity.principalId, name, size, lastModified);
    const command = { type: 'OpenArchive', archiveId, name, size } as const;
    return right({ stream: archiveStream(tenantId, archiveId), command, answer: { archiveId } });
  },
});

const pendingUpload = async (blobs: BlobStore, key: string): Promise<Either<Problem, Upload | undefined>> => {
  const found = await blobs.uploads(key);
  return isLeft(found) ? left(problemOf(found.left, stores)) : right(found.right[0]);
};

const planUpload = route<Deps>()({
  method: 'post',
  path: '/v1/archives/:archiveId/uploads',
  operation: 'planArchiveUpload',
  summary: 'How to upload an archive: the size of its parts, and those that are stored.',
  access: { scopes },
  sensitive: false,
  params: ArchiveParams,
  answers: { 200: { description: 'The plan.', body: t.UnknownRecord } },
  problems: stores,
  handle: async ({ blobs }, { params, identity }) => {
    const key = uploadKey(identity.tenantId, params.archiveId);
    const pending = await pendingUpload(blobs, key);
    if (isLeft(pending)) return pending.left;
    if (pending.right === undefined) {
      const begun = await blobs.beginUpload({ key, contentType: 'application/gzip' });
      return isLeft(begun) ? problemOf(begun.left, stores) : { status: 200, body: { partSize, stored: [] } };
    }
    const page = await blobs.parts(pending.right);
    return isLeft(page) ? problemOf(page.left, stores) : { status: 200, body: { partSize, stored: page.right.parts } };
  },
});

const signPart = route<Deps>()({
  method: 'post',
  path: '/v1/archives/:archiveId/parts',
  operation: 'signArchivePart',
  summary: 'A signed request that stores a part.',
  access: { scopes },
  sensitive: false,
  params: ArchiveParams,
  body: record(
    'PartToSign',
    { part: integer(1, 10_000), size: integer(1) },
    { sha256: text('Sha256', { maxLength: 64 }) },
  ),
  answers: { 200: { description: 'The request.', body: t.UnknownRecord } },
  problems: stores,
  handle: async ({ blobs }, { params, body, identity }) => {
    const pending = await pendingUpload(blobs, uploadKey(identity.tenantId, params.archiveId));
    if (isLeft(pending)) return pending.left;
    if (pending.right === undefined) return problem('not-found', 'This archive has no upload.');
    const signed = await blobs.signPart({ upload: pending.right, ...body, seconds: signedSeconds });
    return isLeft(signed) ? problemOf(signed.left, stores) : { status: 200, body: signed.right };
  },
});

const complete = async (
  blobs: BlobStore,
  key: string,
  parts: readonly { readonly part: number; readonly etag: string }[],
): Promise<Either<Problem, unknown>> => {
  const pending = await pendingUpload(blobs, key);
  if (isLeft(pending)) return pending;
  if (pending.right !== undefined) {
    const done = await blobs.completeUpload(pending.right, parts);
    return isLeft(done) ? left(problemOf(done.left, stores)) : done;
  }
  // It was completed before, or never begun.
  const stored = await blobs.head(key);
  return isLeft(stored) ? left(problemOf(stored.left, stores)) : stored;
};

const storeArchive = commandRoute<Deps>()({
  method: 'post',
  path: '/v1/archives/:archiveId/complete',
  operation: 'storeArchive',
  summary: 'All parts are stored: extract the archive.',
  scopes,
  sensitive: false,
  params: ArchiveParams,
  body: record('StoredParts', { parts: t.array(record('StoredPart', { part: integer(1, 10_000), etag: Etag })) }),
  answer: record('StoredArchive', { archiveId: ArchiveId }),
  decider: archive,
  problems: unknown,
  prepare: async ({ params: { archiveId }, body: { parts }, tenantId }, { blobs }) => {
    const done = await complete(blobs, uploadKey(tenantId, archiveId), parts);
    if (isLeft(done)) return done;
    const command = { type: 'StoreArchive', archiveId } as const;
    return right({ stream: archiveStream(tenantId, archiveId), command, answer: { archiveId } });
  },
});

const routes = (deps: Deps): readonly BoundRoute[] => [
  bind(deps, openArchive),
  bind(deps, planUpload),
  bind(deps, signPart),
  bind(deps, storeArchive),
];

export const commands = commandContext({
  config: { ...blobVariables, PUBLIC_URL: optional(variables.PUBLIC_URL) },
  open: (values, adapters) => {
    const blobs = openBlobs(values, `${values.PUBLIC_URL ?? ''}/blobs`);
    if (isLeft(blobs)) throw new Error(blobs.left.detail);
    return { deps: { ...adapters, blobs: blobs.right }, close: blobs.right.close };
  },
  routes,
});
