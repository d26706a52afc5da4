/** Encodes server messages; frames and snapshots are encoded once for many sockets. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { ServerMessage, SocketErrorCode } from '../../../../domain/editor/protocol/server-messages';
import type { Snapshot } from '../../../../domain/editor/snapshot/snapshot';
import type { SnapshotFault } from '../../../../infra/server/documents/piece-blobs';
import type { PieceSource } from '../../../../infra/server/documents/piece-urls';
import { mergeFrames } from '../../document-owner/broadcast/operation-frames';
import type { OperationFrame } from '../../document-owner/document-handle';

export const encodeMessage = (message: ServerMessage): Buffer => Buffer.from(JSON.stringify(message));

interface ErrorDetails {
  readonly clientSeq?: number;
  readonly expectedClientSeq?: number;
  readonly pointer?: string;
}

export const encodeError = (code: SocketErrorCode, detail: string, details: ErrorDetails = {}): Buffer =>
  encodeMessage({ type: 'error', code, detail, ...details });

const encodeFrame = (fromVersion: number, operations: readonly string[]): Buffer => {
  const toVersion = fromVersion + operations.length - 1;
  const head = JSON.stringify({ type: 'operations', fromVersion, toVersion });
  return Buffer.from(`${head.slice(0, -1)},"operations":[${operations.join(',')}]}`);
};

const encodedFrames = new WeakMap<OperationFrame, Buffer>();

export const encodeFrameOnce = (frame: OperationFrame): Buffer => {
  const known = encodedFrames.get(frame);
  if (known !== undefined) return known;
  const bytes = encodeFrame(frame.fromVersion, frame.operations);
  encodedFrames.set(frame, bytes);
  return bytes;
};

export interface MergedFrame {
  readonly bytes: Buffer;
  readonly toVersion: number;
}

/** Encodes the first frame, and as many of the next ones as fit into the same message. */
export const encodeMergedFrame = (first: OperationFrame, next: readonly OperationFrame[]): MergedFrame => {
  const frame: OperationFrame = mergeFrames([first, ...next]).next().value ?? first;
  return { bytes: encodeFrameOnce(frame), toVersion: frame.toVersion };
};

type PieceUrlSource = (snapshot: Snapshot) => Promise<Either<SnapshotFault, readonly PieceSource[]>>;

/** Keeps the message of the newest snapshot while its URLs stay the same. */
export const snapshotMessageCache = (
  show: PieceUrlSource,
): ((snapshot: Snapshot) => Promise<Either<SnapshotFault, Buffer>>) => {
  let last: { readonly pieces: readonly PieceSource[]; readonly bytes: Buffer } | undefined;
  return async (snapshot) => {
    const pieces = await show(snapshot);
    if (isLeft(pieces)) return pieces;
    if (last?.pieces !== pieces.right) {
      // Later operations follow in frames.
      const bytes = encodeMessage({ type: 'snapshot', snapshot, operationTail: [], pieces: [...pieces.right] });
      last = { pieces: pieces.right, bytes };
    }
    return right(last.bytes);
  };
};
