/**
 * Cuts the text of a log into chunks: each at most a bound of UTF-8 bytes, none splits a character, and together they are the text.
 * Offsets are bytes of the text.
 */

export interface TextChunk {
  /** From 0, without gaps. */
  readonly chunkOffset: number;
  readonly byteStart: number;
  readonly byteEnd: number;
  readonly bytes: Buffer;
}

export interface Chunker {
  /** Full chunks are emitted at once. */
  readonly push: (text: string) => void;
  /** Emits what is left, if anything. */
  readonly flush: () => void;
  /** Bytes pushed so far. */
  readonly size: () => number;
}

const isContinuation = (byte: number | undefined): boolean =>
  byte !== undefined && (byte & 0b1100_0000) === 0b1000_0000;

/** The last boundary of characters at or before `most`. */
const boundary = (bytes: Buffer, most: number): number => {
  let end = most;
  while (end > 0 && isContinuation(bytes[end])) end -= 1;
  return end;
};

/** `maxBytes` is at least 4, the length of the longest character. */
export const openChunker = (maxBytes: number, emit: (chunk: TextChunk) => void): Chunker => {
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let [chunkOffset, byteStart] = [0, 0];
  const emitBytes = (bytes: Buffer): void => {
    emit({ chunkOffset, byteStart, byteEnd: byteStart + bytes.length, bytes });
    chunkOffset += 1;
    byteStart += bytes.length;
  };
  return {
    push: (text) => {
      if (text === '') return;
      pending.push(Buffer.from(text, 'utf8'));
      pendingBytes += pending.at(-1)?.length ?? 0;
      if (pendingBytes < maxBytes) return;
      let rest = Buffer.concat(pending);
      while (rest.length >= maxBytes) {
        const end = rest.length === maxBytes ? maxBytes : boundary(rest, maxBytes);
        emitBytes(rest.subarray(0, end));
        rest = rest.subarray(end);
      }
      pending = rest.length === 0 ? [] : [rest];
      pendingBytes = rest.length;
    },
    flush: () => {
      if (pendingBytes === 0) return;
      const bytes = Buffer.concat(pending);
      pending = [];
      pendingBytes = 0;
      emitBytes(bytes);
    },
    size: () => byteStart + pendingBytes,
  };
};
