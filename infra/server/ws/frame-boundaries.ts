/**
 * Finds where frames end in a server's bytes, so that a proxy can insert a frame of its own between two of them. Frames of a server are not masked (RFC 6455, section 5.1).
 */
import type { StreamEnd } from '../http/streaming/stream-end';

export interface FrameBounds {
  /** Counts what has been passed on. */
  readonly pass: (bytes: Uint8Array) => void;
  /** Nothing is cut in two by a frame that is put in now. */
  readonly between: () => boolean;
}

const shortHeader = 2;
const lengthBytes: { readonly [length: number]: number } = { 126: 2, 127: 8 };

export const frameBounds = (): FrameBounds => {
  const header: number[] = [];
  let rest = 0;
  const payloadOf = (): number | undefined => {
    if (header.length < shortHeader) return undefined;
    const length = (header[1] as number) & 0x7f;
    const more = lengthBytes[length] ?? 0;
    if (header.length < shortHeader + more) return undefined;
    return more === 0 ? length : header.slice(shortHeader).reduce((sum, byte) => sum * 256 + byte, 0);
  };
  const pass = (bytes: Uint8Array): void => {
    for (let at = 0; at < bytes.length; ) {
      const skipped = Math.min(rest, bytes.length - at);
      rest -= skipped;
      at += skipped;
      if (at === bytes.length) return;
      header.push(bytes[at] as number);
      at += 1;
      const payload = payloadOf();
      if (payload === undefined) continue;
      rest = payload;
      header.length = 0;
    }
  };
  return { pass, between: () => rest === 0 && header.length === 0 };
};

export const closeFrame = ({ closeCode, code }: StreamEnd): Buffer => {
  const reason = Buffer.from(code);
  return Buffer.concat([Buffer.from([0x88, 2 + reason.length, closeCode >> 8, closeCode & 0xff]), reason]);
};
