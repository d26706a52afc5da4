/** Object storage that keeps small objects: for what routes of videos store by themselves. */
import { right } from 'fp-ts/Either';
import type { SidecarDeps } from '../../../commands/video/sidecars/sidecar-subject';
import type { BlobInfo, PutBlob } from '../../../infra/ports/blob-store';

const storedAt = '2026-01-31T12:00:00.000Z' as never;

export const openMemoryObjects = () => {
  /** By key. */
  const stored = new Map<string, Buffer>();
  const versionOf = (key: string) => ({
    key,
    versionId: '1',
    storedAt,
    size: stored.get(key)?.length,
    isCurrent: true,
  });
  const blobs: Pick<SidecarDeps['blobs'], 'put' | 'versions' | 'removeVersion'> = {
    put: async ({ key, body, size, contentType, sha256 }: PutBlob) => {
      stored.set(key, Buffer.from(body as Uint8Array));
      const info: BlobInfo = { key, size, etag: '"1"', storedAt, contentType, sha256: sha256 ?? null };
      return right(info);
    },
    versions: async (key) => right(stored.has(key) ? [versionOf(key)] : []),
    removeVersion: async (key) => {
      stored.delete(key);
      return right(undefined);
    },
  };
  return { blobs, stored };
};
