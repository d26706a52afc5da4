/**
 * Uploads a file straight to the object store, in parts by requests that a service signed. An upload that a page did not
 * finish continues with the parts that the store lacks.
 */

export interface SignedPart {
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
}

export interface PartTag {
  readonly part: number;
  readonly etag: string;
}

export interface StoredPart extends PartTag {
  readonly size: number;
}

export interface UploadPlan {
  /** Bytes of each part but the last. */
  readonly partSize: number;
  /** Parts that the store has already. */
  readonly stored: readonly StoredPart[];
}

export interface PartToSign {
  readonly part: number;
  readonly size: number;
  /** In hexadecimal; undefined on pages without https, which cannot compute it. */
  readonly sha256: string | undefined;
}

/** The service that owns the upload. Its calls reject with what the page shows. */
export interface UploadService<Result> {
  /** Begins an upload of this file, or finds the pending one by name, size and time. */
  readonly begin: (file: File) => Promise<UploadPlan>;
  /** Called for each attempt: signed requests expire. */
  readonly sign: (part: PartToSign) => Promise<SignedPart>;
  readonly complete: (parts: readonly PartTag[]) => Promise<Result>;
}

export interface UploadProgress {
  readonly sentBytes: number;
  readonly totalBytes: number;
  /** Bytes that the store had already when this upload began. */
  readonly resumedBytes: number;
}

export interface UploadOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: UploadProgress) => void;
  /** Parts at once. */
  readonly concurrency?: number;
  /** Pause before the second attempt at a part, in milliseconds; it doubles. */
  readonly retryMilliseconds?: number;
}

export type UploadErrorCode = 'refused' | 'unreachable' | 'hidden-etag';

/** `hidden-etag`: the store's CORS rules do not expose ETag. */
export class UploadError extends Error {
  readonly code: UploadErrorCode;

  constructor(code: UploadErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

const maxAttempts = 6;
const maxPauseMilliseconds = 30_000;

const hexOf = (bytes: ArrayBuffer): string =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');

const sha256Of = async (body: Blob): Promise<string | undefined> => {
  const { subtle } = crypto as { readonly subtle?: SubtleCrypto };
  return subtle === undefined ? undefined : hexOf(await subtle.digest('SHA-256', await body.arrayBuffer()));
};

const isTemporary = (status: number): boolean => status >= 500 || [0, 403, 408, 425, 429].includes(status);

interface Sending {
  readonly signal: AbortSignal;
  readonly onSent: (bytes: number) => void;
}

/** Answers the status and the ETag. By XMLHttpRequest, because `fetch` reports no progress of a body. */
const send = (
  { url, headers }: SignedPart,
  body: Blob,
  { signal, onSent }: Sending,
): Promise<{ readonly status: number; readonly etag: string | null }> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = (): void => request.abort();
    request.open('PUT', url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded }) => onSent(loaded);
    request.onload = () => resolve({ status: request.status, etag: request.getResponseHeader('ETag') });
    request.onerror = () => resolve({ status: 0, etag: null });
    request.onabort = () => reject(signal.reason);
    request.onloadend = () => signal.removeEventListener('abort', abort);
    signal.addEventListener('abort', abort);
    request.send(body);
  });

const wait = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    signal.addEventListener('abort', abort, { once: true });
  });

const pauseOf = (attempt: number, retryMilliseconds: number): number =>
  Math.min(retryMilliseconds * 2 ** (attempt - 1), maxPauseMilliseconds) * (0.5 + Math.random());

/** Repeats calls of a service that cannot be reached now: `isAway` decides by what it rejected with. */
export const withRetries = async <Result>(
  call: () => Promise<Result>,
  {
    isAway,
    signal,
    retryMilliseconds = 500,
  }: {
    readonly isAway: (error: unknown) => boolean;
    readonly signal: AbortSignal;
    readonly retryMilliseconds?: number;
  },
): Promise<Result> => {
  for (let attempt = 1; ; attempt += 1) {
    await untilOnline(signal);
    try {
      return await call();
    } catch (error) {
      if (!isAway(error) || attempt === maxAttempts) throw error;
    }
    await wait(pauseOf(attempt, retryMilliseconds), signal);
  }
};

const untilOnline = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (navigator.onLine) return resolve();
    addEventListener('online', () => resolve(), { once: true, signal });
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

interface PartRequest {
  readonly part: number;
  readonly body: Blob;
}

type Transfer = Required<Omit<UploadOptions, 'onProgress' | 'concurrency'>> & Pick<Sending, 'onSent'>;

const sendPart = async <Result>(
  service: UploadService<Result>,
  { part, body }: PartRequest,
  { signal, onSent, retryMilliseconds }: Transfer,
): Promise<PartTag> => {
  const sha256 = await sha256Of(body);
  for (let attempt = 1; ; attempt += 1) {
    await untilOnline(signal);
    const signed = await service.sign({ part, size: body.size, sha256 });
    signal.throwIfAborted();
    const { status, etag } = await send(signed, body, { signal, onSent });
    if (status === 200 && etag !== null) return { part, etag };
    onSent(0);
    if (status === 200) throw new UploadError('hidden-etag', 'The store’s CORS rules do not expose the ETag header.');
    if (!isTemporary(status)) throw new UploadError('refused', `The store refused part ${part} (${status}).`);
    if (attempt === maxAttempts) throw new UploadError('unreachable', 'The store cannot be reached.');
    await wait(pauseOf(attempt, retryMilliseconds), signal);
  }
};

/** A file that was stored whole by an earlier attempt, whose answer was lost. */
const isStored = (status: number): boolean => status === 409 || status === 412;

/** Sends a file in one request. `sign` is called for each attempt. Rejects as `uploadFile`. */
export const uploadWhole = async (
  file: File,
  sign: (attempt: number) => Promise<SignedPart>,
  { signal, onProgress, retryMilliseconds = 500 }: Omit<UploadOptions, 'concurrency'>,
): Promise<void> => {
  const onSent = (bytes: number): void =>
    onProgress({ sentBytes: Math.min(bytes, file.size), totalBytes: file.size, resumedBytes: 0 });
  for (let attempt = 1; ; attempt += 1) {
    await untilOnline(signal);
    const signed = await sign(attempt);
    signal.throwIfAborted();
    const { status } = await send(signed, file, { signal, onSent });
    if (status === 200 || (attempt > 1 && isStored(status))) return;
    onSent(0);
    if (!isTemporary(status)) throw new UploadError('refused', `The store refused the file (${status}).`);
    if (attempt === maxAttempts) throw new UploadError('unreachable', 'The store cannot be reached.');
    await wait(pauseOf(attempt, retryMilliseconds), signal);
  }
};

/** The parts of a file, of which there is at least one. */
const partsOf = (file: File, partSize: number): readonly PartRequest[] =>
  Array.from({ length: Math.max(1, Math.ceil(file.size / partSize)) }, (_, index) => ({
    part: index + 1,
    body: file.slice(index * partSize, (index + 1) * partSize),
  }));

/** Rejects with the service's error, an `UploadError`, or the signal's reason. */
export const uploadFile = async <Result>(
  file: File,
  service: UploadService<Result>,
  { signal, onProgress, concurrency = 3, retryMilliseconds = 500 }: UploadOptions,
): Promise<Result> => {
  const { partSize, stored } = await service.begin(file);
  const parts = partsOf(file, partSize);
  const storedOf = new Map(stored.map((part) => [part.part, part]));
  // A stored part of another size is from a plan with other parts.
  const tagOf = ({ part, body }: PartRequest) =>
    storedOf.get(part)?.size === body.size ? storedOf.get(part) : undefined;
  const sent = new Map<number, number>();
  const tags: PartTag[] = [];
  const waiting: PartRequest[] = [];
  for (const part of parts) {
    const tag = tagOf(part);
    if (tag === undefined) waiting.push(part);
    else tags.push({ part: tag.part, etag: tag.etag });
    if (tag !== undefined) sent.set(tag.part, tag.size);
  }
  const sum = (): number => [...sent.values()].reduce((one, other) => one + other, 0);
  const resumedBytes = sum();
  const report = (): void => onProgress({ sentBytes: sum(), totalBytes: file.size, resumedBytes });
  report();
  // The first failure ends the other transfers.
  const failure = new AbortController();
  const transferSignal = AbortSignal.any([signal, failure.signal]);
  const transferNext = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { part, body } = next;
      const onSent = (bytes: number): void => {
        sent.set(part, Math.min(bytes, body.size));
        report();
      };
      tags.push(await sendPart(service, next, { signal: transferSignal, onSent, retryMilliseconds }));
      onSent(body.size);
    }
  };
  const transfers = Array.from({ length: concurrency }, () =>
    transferNext().catch((error: unknown) => {
      failure.abort(error);
      throw error;
    }),
  );
  const outcomes = await Promise.allSettled(transfers);
  signal.throwIfAborted();
  if (outcomes.some(({ status }) => status === 'rejected')) throw failure.signal.reason;
  return service.complete(tags.toSorted((one, other) => one.part - other.part));
};
