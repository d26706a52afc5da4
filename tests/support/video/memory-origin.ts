/** Object storage in memory for an edge: its answers can be held, cut, changed or refused. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { left, right } from 'fp-ts/Either';
import { unavailable, unknownBlob } from '../../../infra/adapters/blobs/blob-faults';
import type { BlobInfo, BlobStore, GetBlob } from '../../../infra/ports/blob-store';
import { spanOf } from '../../../infra/server/http/streaming/byte-range';
import { deferred } from '../waiting/deferred';

type Behaviour =
  | { readonly kind: 'well' }
  | { readonly kind: 'away' }
  /** The answer ends after so many bytes; `breaks` tells the reader of it. */
  | { readonly kind: 'short'; readonly bytes: number; readonly breaks: boolean }
  | { readonly kind: 'changed' };

export interface MemoryOrigin extends Pick<BlobStore, 'get' | 'head'> {
  readonly objects: Map<string, Buffer>;
  readonly put: (key: string, bytes: Buffer) => void;
  readonly behave: (behaviour: Behaviour) => void;
  /** Answers stop after so many chunks until the returned function is called. */
  readonly hold: (chunks?: number) => () => void;
  /** Keys of the calls of `get`, in order. */
  readonly gets: string[];
}

export const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

export const memoryOrigin = (chunkBytes = 1_000): MemoryOrigin => {
  const objects = new Map<string, Buffer>();
  const gets: string[] = [];
  let behaviour: Behaviour = { kind: 'well' };
  let held: (ReturnType<typeof deferred> & { readonly after: number }) | undefined;

  const infoOf = (key: string, bytes: Buffer): BlobInfo => ({
    key,
    size: bytes.length,
    etag: `"${sha256Of(bytes)}"`,
    storedAt: '2026-01-31T00:00:00.000Z' as BlobInfo['storedAt'],
    contentType: 'application/octet-stream',
    sha256: null,
  });

  async function* send(bytes: Buffer): AsyncGenerator<Buffer> {
    const now = behaviour;
    const sent = now.kind === 'changed' ? Buffer.from(bytes.map((byte) => byte ^ 1)) : bytes;
    const end = now.kind === 'short' ? Math.min(now.bytes, sent.length) : sent.length;
    for (let at = 0; at < end; at += chunkBytes) {
      yield sent.subarray(at, Math.min(at + chunkBytes, end));
      if (held !== undefined && at / chunkBytes + 1 >= held.after) await held.promise;
    }
    if (now.kind === 'short' && now.breaks) throw new Error('The connection broke.');
  }

  return {
    objects,
    gets,
    put: (key, bytes) => void objects.set(key, bytes),
    behave: (next) => {
      behaviour = next;
    },
    hold: (after = 1) => {
      const gate = { ...deferred(), after };
      held = gate;
      return () => {
        held = undefined;
        gate.resolve();
      };
    },
    head: async (key) => {
      if (behaviour.kind === 'away') return left(unavailable('It is away.'));
      const bytes = objects.get(key);
      return bytes === undefined ? left(unknownBlob()) : right(infoOf(key, bytes));
    },
    get: async ({ key, range, signal }: GetBlob) => {
      gets.push(key);
      if (behaviour.kind === 'away') return left(unavailable('It is away.'));
      const bytes = objects.get(key);
      if (bytes === undefined) return left(unknownBlob());
      const span = spanOf(range, bytes.length) ?? { first: 0, length: 0 };
      const body = Readable.from(send(bytes.subarray(span.first, span.first + span.length)), {
        objectMode: false,
        ...(signal === undefined ? {} : { signal }),
      });
      return right({ info: infoOf(key, bytes), ...span, body });
    },
  };
};
