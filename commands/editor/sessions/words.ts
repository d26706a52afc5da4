/** What is said to clients, as bytes: what many are told is made once. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { FromServer, SocketRefusal } from '../../../domain/editor/messages/from-server';
import type { Snapshot } from '../../../domain/editor/snapshot/record';
import type { SnapshotFault } from '../../../infra/documents/piece-blobs';
import type { PieceSource } from '../../../infra/documents/piece-urls';
import { joined } from '../owner/frames';
import type { Frame } from '../owner/told';

export const said = (message: FromServer): Buffer => Buffer.from(JSON.stringify(message));

interface About {
  readonly clientSeq?: number;
  readonly expectedClientSeq?: number;
  readonly pointer?: string;
}

export const refusal = (code: SocketRefusal, detail: string, about: About = {}): Buffer =>
  said({ type: 'error', code, detail, ...about });

const framed = (fromVersion: number, operations: readonly string[]): Buffer => {
  const toVersion = fromVersion + operations.length - 1;
  const head = JSON.stringify({ type: 'operations', fromVersion, toVersion });
  return Buffer.from(`${head.slice(0, -1)},"operations":[${operations.join(',')}]}`);
};

const made = new WeakMap<Frame, Buffer>();

export const frameBytes = (frame: Frame): Buffer => {
  const known = made.get(frame);
  if (known !== undefined) return known;
  const bytes = framed(frame.fromVersion, frame.operations);
  made.set(frame, bytes);
  return bytes;
};

export interface Merged {
  readonly bytes: Buffer;
  readonly toVersion: number;
}

/** Of what one is behind, as much as goes into one message. At least one frame. */
export const merged = (frames: readonly [Frame, ...Frame[]]): Merged => {
  const [first] = frames;
  const frame: Frame = joined(frames).next().value ?? first;
  return { bytes: frameBytes(frame), toVersion: frame.toVersion };
};

type ShowPieces = (snapshot: Snapshot) => Promise<Either<SnapshotFault, readonly PieceSource[]>>;

/** The newest snapshot's message is kept for whoever comes next, as long as its URLs are the same. */
export const snapshotWords = (show: ShowPieces): ((snapshot: Snapshot) => Promise<Either<SnapshotFault, Buffer>>) => {
  let last: { readonly pieces: readonly PieceSource[]; readonly bytes: Buffer } | undefined;
  return async (snapshot) => {
    const pieces = await show(snapshot);
    if (isLeft(pieces)) return pieces;
    if (last?.pieces !== pieces.right) {
      // What came after it follows in frames, as for everybody.
      const bytes = said({ type: 'snapshot', snapshot, operationTail: [], pieces: [...pieces.right] });
      last = { pieces: pieces.right, bytes };
    }
    return right(last.bytes);
  };
};
