/** Object storage: bytes under a key, whole or not at all. Adapters: S3, and a directory on the local disk. */

import type { Readable } from 'node:stream';
import type { Either } from 'fp-ts/Either';
import type { Instant } from '../../domain/kernel/codec';
import type { Fault, Rejection } from '../../domain/kernel/rejection';

/** `blob-store-full`: no space left. `blob-damaged`: the bytes differ from the stored ones. */
export type BlobFault = Fault<'blob-store-unavailable' | 'blob-store-full' | 'blob-call-aborted' | 'blob-damaged'>;

/** Keys of temporary blobs: removed a day after they were last stored. */
export type TemporaryKey = `temporary/${string}`;

/** A key is 1 to 1,024 bytes of UTF-8 without control characters, and no segment of it is `.` or `..`. */
type Refusal<Code extends string> = Rejection<Code | 'blob-key-refused'>;
type Answer<Value, Code extends string = never> = Promise<Either<Refusal<Code> | BlobFault, Value>>;
type BodyRefusal = 'blob-size-differs' | 'blob-checksum-differs' | 'blob-too-large';

export interface BlobStore {
  readonly put: (request: PutBlob) => Answer<BlobInfo, BodyRefusal | 'blob-differs'>;
  readonly head: (key: string) => Answer<BlobInfo, 'blob-unknown'>;
  readonly get: (request: GetBlob) => Answer<BlobContent, 'blob-unknown' | 'blob-differs' | 'blob-range-unsatisfiable'>;
  /** Within the store. At most 5 GiB. */
  readonly copy: (from: string, to: string) => Answer<BlobInfo, 'blob-unknown' | 'blob-too-large'>;
  /** What is not there is removed already. */
  readonly remove: (key: string) => Answer<void>;
  /** A fault may leave some of them: retry. */
  readonly removeMany: (keys: readonly string[]) => Answer<void>;
  readonly list: (request: ListBlobs) => Answer<BlobPage>;
  readonly beginUpload: (request: Pick<PutBlob, 'key' | 'contentType'>) => Answer<Upload>;
  readonly putPart: (request: PutPart) => Answer<UploadedPart, BodyRefusal | 'upload-unknown' | 'upload-part-refused'>;
  /** Up to 1,000 uploaded parts with a higher number, in order, to resume an upload. */
  readonly parts: (upload: Upload, after?: number) => Answer<PartPage, 'upload-unknown'>;
  /** The parts in ascending order. `upload-unknown` after a lost answer: use `head` to find out whether it is complete. */
  readonly completeUpload: (
    upload: Upload,
    parts: readonly PartTag[],
  ) => Answer<BlobInfo, 'upload-unknown' | 'upload-part-refused'>;
  readonly abortUpload: (upload: Upload) => Answer<void>;
  /** Uploads to this key that were begun and neither completed nor aborted, the oldest first; 1,000 at most. */
  readonly uploads: (key: string) => Answer<readonly PendingUpload[]>;
  /**
   * Stored versions of a blob, the newest first, also of a removed one; 1,000 at most. A store without versions has the
   * blob as its only one.
   */
  readonly versions: (key: string) => Answer<readonly BlobVersion[]>;
  /** Erases the version's bytes. A version that is not there is erased already. */
  readonly removeVersion: (key: string, versionId: string) => Answer<void>;
  /** Gives up what was begun before that moment, with its parts, and clears what crashes left; answers how many. */
  readonly sweep: (before: Instant) => Answer<number>;
  readonly signPut: (request: SignPut) => Answer<SignedRequest, 'blob-too-large'>;
  readonly signPart: (request: SignPart) => Answer<SignedRequest, 'upload-part-refused' | 'blob-too-large'>;
  readonly signGet: (request: SignGet) => Answer<SignedRequest>;
  /** Whether it can be used right now. */
  readonly check: () => Answer<void>;
  readonly close: () => Promise<void>;
}

/** Bytes on their way into an object store and out of it, and what is known of them. */

/** A stream is read as fast as it is stored, and destroyed when that fails; its chunks must not be written to again. */
export type BlobBody = Uint8Array | AsyncIterable<Uint8Array>;

export interface BlobEntry {
  readonly key: string;
  readonly size: number;
  /** As HTTP writes it, with its quotes; another one for other bytes. Not a checksum. */
  readonly etag: string;
  readonly storedAt: Instant;
}

export interface BlobInfo extends BlobEntry {
  readonly contentType: string;
  /** Of the whole blob, in hexadecimal; null when it was uploaded in parts, or the store does not have it. */
  readonly sha256: string | null;
}

export interface MeasuredBody {
  readonly body: BlobBody;
  /** Exactly: other bodies are refused. At most 5 GiB. */
  readonly size: number;
  /** In hexadecimal: other bodies are refused. */
  readonly sha256?: string;
  readonly signal?: AbortSignal;
}

export interface PutBlob extends MeasuredBody {
  readonly key: string;
  /** What a header cannot carry becomes `application/octet-stream`. */
  readonly contentType: string;
  /** Of several that expect the same at once, one succeeds. */
  readonly expected?: 'absent' | { readonly etag: string };
}

/** Both ends inclusive, from 0; without `last` to the end. */
export type ByteRange = { readonly first: number; readonly last?: number } | { readonly suffix: number };

export interface GetBlob {
  readonly key: string;
  readonly range?: ByteRange;
  /** To go on with the bytes that an earlier answer began. */
  readonly etag?: string;
  readonly signal?: AbortSignal;
}

export interface BlobContent {
  readonly info: BlobInfo;
  readonly first: number;
  readonly length: number;
  /**
   * To be read to its end or destroyed. Ends with an error whose code is `blob-damaged` when a whole blob is not what was
   * stored.
   */
  readonly body: Readable;
}

export interface ListBlobs {
  readonly prefix: string;
  /** Exclusive: the `next` of the page before. */
  readonly after?: string;
  /** 1 to 1,000. */
  readonly limit?: number;
}

export interface BlobPage {
  /** In the order of their keys' bytes. */
  readonly blobs: readonly BlobEntry[];
  /** Null when this page is the last. */
  readonly next: string | null;
}

/** Uploads in parts, and requests that are signed for others to make. */

export interface Upload {
  readonly key: string;
  readonly uploadId: string;
}

export interface PendingUpload extends Upload {
  readonly begunAt: Instant;
}

export interface BlobVersion {
  readonly key: string;
  readonly versionId: string;
  readonly storedAt: Instant;
  /** Undefined for the mark of a removal. */
  readonly size: number | undefined;
  /** `get` answers with this version. */
  readonly isCurrent: boolean;
}

/** Parts are numbered 1 to 10,000; all but the last have at least 5 MiB. The same number again replaces the part. */
export interface PutPart extends MeasuredBody {
  readonly upload: Upload;
  readonly part: number;
}

export interface PartTag {
  readonly part: number;
  readonly etag: string;
}

export interface UploadedPart extends PartTag {
  readonly size: number;
}

export interface PartPage {
  readonly parts: readonly UploadedPart[];
  /** Null when this page is the last. */
  readonly next: number | null;
}

/** A request that needs no other credentials. */
export interface SignedRequest {
  readonly method: 'GET' | 'PUT';
  readonly url: string;
  /** To be sent exactly so. */
  readonly headers: { readonly [name: string]: string };
  readonly expiresAt: Instant;
}

interface Expiring {
  /** 1 to 604,800: a week. */
  readonly seconds: number;
}

export interface SignPut extends Expiring, Pick<PutBlob, 'key' | 'size' | 'sha256' | 'contentType'> {
  readonly expected?: 'absent';
}

export type SignPart = Expiring & Pick<PutPart, 'upload' | 'part' | 'size' | 'sha256'>;

export interface SignGet extends Expiring {
  readonly key: string;
  /** What the answer shall carry instead. */
  readonly contentType?: string;
  /** ASCII, as RFC 6266 writes it; what a header cannot carry becomes `attachment`. */
  readonly contentDisposition?: string;
}
