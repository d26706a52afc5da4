/** Which parts of a video's source object storage has: its list is the truth, whatever clients report. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { Rejection } from '../../../domain/kernel/rejection';
import { bytesOfCutPart, partNumbersOf } from '../../../domain/kernel/upload-parts';
import type { InitiatedUpload } from '../../../domain/video/upload/state';
import type { BlobFault, BlobStore, Upload, UploadedPart } from '../../ports/blob-store';

export type PartBlobs = Pick<BlobStore, 'head' | 'uploads' | 'parts'>;

type Refusal = Rejection<'blob-key-refused' | 'upload-unknown'> | BlobFault;
type Answer<Value> = Promise<Either<Refusal, Value>>;

export const cutSource = ({ fileSize, partSizeBytes }: Pick<InitiatedUpload, 'fileSize' | 'partSizeBytes'>) => ({
  size: fileSize,
  partBytes: partSizeBytes,
});

/** All pages of the store's list, in order. */
const listParts = async (blobs: PartBlobs, upload: Upload): Answer<readonly UploadedPart[]> => {
  const parts: UploadedPart[] = [];
  for (let after: number | undefined; ; ) {
    const page = await blobs.parts(upload, after);
    if (isLeft(page)) return page;
    parts.push(...page.right.parts);
    if (page.right.next === null) return right(parts);
    after = page.right.next;
  }
};

/** `whole`: the parts are one object already. `absent`: no part was ever sent. */
export type StoredSource =
  | { readonly kind: 'whole' }
  | { readonly kind: 'absent' }
  | { readonly kind: 'parts'; readonly upload: Upload; readonly parts: readonly UploadedPart[] };

/** Once more after `upload-unknown`: the upload was completed or aborted between two calls. */
export const readStoredSource = async (blobs: PartBlobs, key: string, isRepeated = false): Answer<StoredSource> => {
  const whole = await blobs.head(key);
  if (!isLeft(whole)) return right({ kind: 'whole' });
  if (whole.left.code !== 'blob-unknown') return { ...whole, left: whole.left as Refusal };
  const pending = await blobs.uploads(key);
  if (isLeft(pending)) return pending;
  const [upload] = pending.right;
  if (upload === undefined) return right({ kind: 'absent' });
  const parts = await listParts(blobs, upload);
  if (!isLeft(parts)) return right({ kind: 'parts', upload, parts: parts.right });
  return parts.left.code === 'upload-unknown' && !isRepeated ? readStoredSource(blobs, key, true) : parts;
};

/** Numbers of the source's parts of which the store has none, or one of another size. */
export const missingParts = (
  upload: Pick<InitiatedUpload, 'fileSize' | 'partSizeBytes'>,
  parts: readonly UploadedPart[],
): readonly number[] => {
  const cut = cutSource(upload);
  const sizes = new Map(parts.map(({ part, size }) => [part, size]));
  return partNumbersOf(cut).filter((part) => sizes.get(part) !== bytesOfCutPart(cut, part));
};
