/** Bytes on their way into an object store and out of it, and what is known of them. */
import type { Readable } from 'node:stream';
import type { Instant } from '../../domain/kernel/codec';

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
  /** Of the whole, in hexadecimal; null when it came in parts, and where a store does not say. */
  readonly sha256: string | null;
}

export interface Measured {
  readonly body: BlobBody;
  /** Exactly: other bodies are refused. At most 5 GiB. */
  readonly size: number;
  /** In hexadecimal: other bodies are refused. */
  readonly sha256?: string;
  readonly signal?: AbortSignal;
}

export interface PutBlob extends Measured {
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
