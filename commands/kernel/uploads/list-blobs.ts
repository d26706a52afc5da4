/** All pages of what object storage has below a prefix. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { BlobEntry, BlobStore } from '../../../infra/ports/blob-store';

const pageSize = 1_000;

export const listBlobs = async (
  blobs: Pick<BlobStore, 'list'>,
  prefix: string,
): Promise<Either<string, readonly BlobEntry[]>> => {
  const entries: BlobEntry[] = [];
  for (let after: string | undefined; ; ) {
    const page = await blobs.list({ prefix, limit: pageSize, ...(after === undefined ? {} : { after }) });
    if (isLeft(page)) return left(page.left.detail);
    entries.push(...page.right.blobs);
    if (page.right.next === null) return right(entries);
    after = page.right.next;
  }
};
