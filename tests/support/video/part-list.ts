/** Object storage that only lists parts, in pages, and joins them: for uploads that are too large to send in a test. */
import { left, right } from 'fp-ts/Either';
import type { VideoUploadDeps } from '../../../commands/video/upload-source';
import type { BlobInfo, Upload, UploadedPart } from '../../../infra/ports/blob-store';

const pageSize = 100;

export const openPartList = () => {
  const parts = new Map<number, UploadedPart>();
  let upload: (Upload & { readonly begunAt: never }) | undefined;
  let whole: BlobInfo | undefined;
  let pages = 0;
  const blobs = {
    head: async (key: string) =>
      whole?.key !== key
        ? left({ kind: 'rejection', code: 'blob-unknown', detail: 'It is not there.' } as const)
        : right(whole),
    uploads: async () => right(upload === undefined ? [] : [upload]),
    beginUpload: async ({ key }: { readonly key: string }) => {
      upload = { key, uploadId: 'store-1', begunAt: '2026-01-31T12:00:00.000Z' as never };
      return right(upload);
    },
    signPart: async ({ part }: { readonly part: number }) =>
      right({ method: 'PUT', url: `https://blobs.test/${part}`, headers: {}, expiresAt: '2026-01-31T13:00:00.000Z' }),
    parts: async (_: Upload, after = 0) => {
      pages += 1;
      const sorted = [...parts.values()].filter(({ part }) => part > after).sort((one, other) => one.part - other.part);
      const page = sorted.slice(0, pageSize);
      return right({ parts: page, next: sorted.length > pageSize ? (page.at(-1)?.part ?? null) : null });
    },
    completeUpload: async ({ key }: Upload, joined: readonly UploadedPart[]) => {
      const size = joined.reduce((sum, one) => sum + one.size, 0);
      whole = {
        key,
        size,
        etag: '"whole"',
        storedAt: '2026-01-31T12:00:00.000Z' as never,
        contentType: '',
        sha256: null,
      };
      upload = undefined;
      parts.clear();
      return right(whole);
    },
  };
  return {
    blobs: blobs as unknown as VideoUploadDeps['blobs'],
    put: (part: number, size: number, etag = `"${part}"`) => void parts.set(part, { part, size, etag }),
    pagesRead: () => pages,
  };
};
