/** Object storage: bytes under a key, whole or not at all. Adapters: S3, and a directory on the local disk. */
import type { Either } from 'fp-ts/Either';
import type { Instant } from '../../domain/kernel/codec';
import type { Fault, Rejection } from '../../domain/kernel/rejection';
import type { BlobContent, BlobInfo, BlobPage, GetBlob, ListBlobs, PutBlob } from './blob-content';
import type {
  PartPage,
  PartTag,
  PutPart,
  SignedRequest,
  SignGet,
  SignPart,
  SignPut,
  Upload,
  UploadedPart,
} from './blob-uploads';

export type * from './blob-content';
export type * from './blob-uploads';

/** `blob-store-full`: there is no room. `blob-damaged`: the bytes are no longer those that were stored. */
export type BlobFault = Fault<'blob-store-unavailable' | 'blob-store-full' | 'blob-call-aborted' | 'blob-damaged'>;

/** Keys of blobs that nothing refers to for long: they are removed a day after they were stored, for the last time where that is said again. */
export type TemporaryKey = `temporary/${string}`;

/** A key is 1 to 1,024 bytes of UTF-8 without control characters, and no segment of it is `.` or `..`. */
type Refusal<Code extends string> = Rejection<Code | 'blob-key-refused'>;
type Answer<Value, Code extends string = never> = Promise<Either<Refusal<Code> | BlobFault, Value>>;
type BodyRefusal = 'blob-size-differs' | 'blob-checksum-differs' | 'blob-too-large';

export interface Blobs {
  readonly put: (request: PutBlob) => Answer<BlobInfo, BodyRefusal | 'blob-differs'>;
  readonly head: (key: string) => Answer<BlobInfo, 'blob-unknown'>;
  readonly get: (request: GetBlob) => Answer<BlobContent, 'blob-unknown' | 'blob-differs' | 'blob-range-unsatisfiable'>;
  /** Within the store. At most 5 GiB. */
  readonly copy: (from: string, to: string) => Answer<BlobInfo, 'blob-unknown' | 'blob-too-large'>;
  /** What is not there is removed already. */
  readonly remove: (key: string) => Answer<void>;
  /** A fault may leave some of them: ask again. */
  readonly removeMany: (keys: readonly string[]) => Answer<void>;
  readonly list: (request: ListBlobs) => Answer<BlobPage>;
  readonly beginUpload: (request: Pick<PutBlob, 'key' | 'contentType'>) => Answer<Upload>;
  readonly putPart: (request: PutPart) => Answer<UploadedPart, BodyRefusal | 'upload-unknown' | 'upload-part-refused'>;
  /** What is there already, in order, up to 1,000 after the given number: for whoever goes on with an upload. */
  readonly parts: (upload: Upload, after?: number) => Answer<PartPage, 'upload-unknown'>;
  /** The parts in ascending order. `upload-unknown` after a lost answer: `head` tells whether it is complete. */
  readonly completeUpload: (
    upload: Upload,
    parts: readonly PartTag[],
  ) => Answer<BlobInfo, 'upload-unknown' | 'upload-part-refused'>;
  readonly abortUpload: (upload: Upload) => Answer<void>;
  /** Gives up what was begun before that moment, with its parts, and clears what crashes left; answers how many. */
  readonly sweep: (before: Instant) => Answer<number>;
  readonly signPut: (request: SignPut) => Answer<SignedRequest, 'blob-too-large'>;
  readonly signPart: (request: SignPart) => Answer<SignedRequest, 'upload-part-refused' | 'blob-too-large'>;
  readonly signGet: (request: SignGet) => Answer<SignedRequest>;
  /** Whether it can be used right now. */
  readonly check: () => Answer<void>;
  readonly close: () => Promise<void>;
}
