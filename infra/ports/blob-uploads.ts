/** Uploads in parts, and requests that are signed for others to make. */
import type { Instant } from '../../domain/kernel/codec';
import type { Measured, PutBlob } from './blob-content';

export interface Upload {
  readonly key: string;
  readonly uploadId: string;
}

/** Parts are numbered 1 to 10,000; all but the last have at least 5 MiB. The same number again replaces the part. */
export interface PutPart extends Measured {
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

/** What whoever holds it may do without any other proof of who they are. */
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
