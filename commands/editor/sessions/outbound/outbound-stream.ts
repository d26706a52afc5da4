/**
 * Sends committed operations to one client in version order. While the socket accepts data, each frame is forwarded
 * at once. When it does not, the stream remembers only the client's version; after it drains, the client receives merged frames
 * from the backlog, or a snapshot if the backlog starts later.
 */

import { type Either, isLeft, right } from 'fp-ts/Either';
import type { Snapshot } from '../../../../domain/editor/snapshot/snapshot';
import { emptySnapshot } from '../../../../infra/server/documents/empty-snapshot';
import type { SnapshotFault } from '../../../../infra/server/documents/piece-blobs';
import { streamEnds } from '../../../../infra/server/http/streaming/stream-end';
import type { Socket } from '../../../../infra/server/ws/socket';
import { mergeFrames, sliceFrame } from '../../document-owner/broadcast/operation-frames';
import type { CatchUp, DocumentHandle, OperationFrame } from '../../document-owner/document-handle';
import type { SessionMetrics } from '../metrics';
import { encodeFrameOnce, encodeMergedFrame, encodeMessage } from './message-encoding';

export interface OutboundStream {
  /** A new frame; undefined if the scene was replaced. */
  readonly sendFrame: (frame: OperationFrame | undefined) => void;
  readonly acknowledge: (after: number, bytes: Buffer) => void;
  /** Dropped for a slow client, which gets the current presence when it has caught up. */
  readonly sendPresence: (bytes: Buffer) => void;
  readonly version: () => number;
  /** Count of acknowledgements that wait for their operations. */
  readonly pendingAcks: () => number;
}

const send = (options: OutboundStreamOptions, state: OutboundState, bytes: Buffer): void => {
  if (!options.socket.send(bytes)) startCatchUp(options, state);
};

/** A part may have been sent ahead of an acknowledgement. */
const sendFrame = (options: OutboundStreamOptions, state: OutboundState, frame: OperationFrame): void => {
  if (frame.toVersion <= state.version) return;
  state.version = frame.toVersion;
  send(options, state, encodeFrameOnce(frame));
  flushAcks(options, state);
};

/** With a batch timer, operations before the acknowledgement may not be sent yet. */
const sendUpToAck = (options: OutboundStreamOptions, state: OutboundState): void => {
  const frames = options.document.framesAfter(state.version);
  if (frames === undefined) startCatchUp(options, state);
  for (const frame of mergeFrames(frames ?? [])) {
    if (state.isBehind) return;
    sendFrame(options, state, frame);
  }
};

/** `known` is the client's version; 0 for none. The stream starts by itself. */
export const openOutboundStream = (options: OutboundStreamOptions, knownVersion: number): OutboundStream => {
  const state: OutboundState = { version: knownVersion, isBehind: true, delayedAcks: [], isPresenceDue: true };
  const begin = async (): Promise<void> => {
    const resumption = options.document.catchUp(knownVersion);
    if (resumption.snapshot !== undefined || resumption.rebase) await sendSnapshot(options, state, resumption);
    if (!isEnded(options)) await catchUp(options, state);
  };
  begin().catch(options.failed);
  return {
    version: () => state.version,
    pendingAcks: () => state.delayedAcks.length,
    sendFrame: (frame) => {
      if (state.isBehind) return;
      if (frame === undefined || frame.fromVersion > state.version + 1) return startCatchUp(options, state);
      sendFrame(options, state, sliceFrame(frame, state.version));
    },
    acknowledge: (after, bytes) => {
      if (!state.isBehind && after > state.version) sendUpToAck(options, state);
      if (state.isBehind || after > state.version) state.delayedAcks.push({ after, bytes });
      else send(options, state, bytes);
    },
    sendPresence: (bytes) => {
      if (state.isBehind) state.isPresenceDue = true;
      else send(options, state, bytes);
    },
  };
};

export interface OutboundStreamOptions {
  readonly socket: Socket;
  readonly document: DocumentHandle;
  readonly snapshotBytes: (snapshot: Snapshot) => Promise<Either<SnapshotFault, Buffer>>;
  /** Presence of all members, for a client that missed updates. */
  readonly presenceMessage: () => Buffer | undefined;
  readonly metrics: SessionMetrics;
  readonly leaving: AbortSignal;
  readonly failed: (error: unknown) => void;
}

interface DelayedAck {
  /** Not sent before the operations up to this version. */
  readonly after: number;
  readonly bytes: Buffer;
}

export interface OutboundState {
  /** Version up to which operations were sent. */
  version: number;
  isBehind: boolean;
  readonly delayedAcks: DelayedAck[];
  isPresenceDue: boolean;
}

const isEnded = ({ socket, leaving }: OutboundStreamOptions): boolean => socket.closed.aborted || leaving.aborted;

const flushAcks = ({ socket }: OutboundStreamOptions, state: OutboundState): void => {
  while (state.delayedAcks[0] !== undefined && state.delayedAcks[0].after <= state.version)
    socket.send((state.delayedAcks.shift() as DelayedAck).bytes);
};

const emptySnapshotMessage = async ({ document }: OutboundStreamOptions): Promise<Either<never, Buffer>> => {
  const { snapshot, pieces } = await emptySnapshot(document);
  return right(encodeMessage({ type: 'snapshot', snapshot, operationTail: [], pieces: [...pieces] }));
};

/** Sends a snapshot if the client must start over, an empty one before the first. */
const sendSnapshot = async (
  options: OutboundStreamOptions,
  state: OutboundState,
  resumption: CatchUp,
): Promise<void> => {
  const { socket, snapshotBytes, metrics } = options;
  const { snapshot, rebase } = resumption;
  if (rebase) socket.send(encodeMessage({ type: 'rebaseRequired', snapshotVersion: snapshot?.version ?? 0 }));
  state.version = 0;
  if (snapshot === undefined && !rebase) return;
  metrics.snapshot(rebase);
  const bytes = await (snapshot === undefined ? emptySnapshotMessage(options) : snapshotBytes(snapshot));
  if (isEnded(options)) return;
  if (isLeft(bytes)) return socket.end(streamEnds.unavailable);
  socket.send(bytes.right);
  state.version = snapshot?.version ?? 0;
};

/** One message of the catch-up; false if there is nothing left. */
const catchUpStep = async (options: OutboundStreamOptions, state: OutboundState): Promise<boolean> => {
  const { socket, document } = options;
  const frames = document.framesAfter(state.version);
  if (frames === undefined) {
    await sendSnapshot(options, state, document.catchUp(state.version));
    return true;
  }
  const [first, ...rest] = frames;
  if (first === undefined) return false;
  const { bytes, toVersion } = encodeMergedFrame(first, rest);
  if (rest.length > 0) options.metrics.merged();
  socket.send(bytes);
  state.version = toVersion;
  return true;
};

const catchUp = async (options: OutboundStreamOptions, state: OutboundState): Promise<void> => {
  for (;;) {
    await options.socket.ready();
    if (isEnded(options)) return;
    if (!(await catchUpStep(options, state))) break;
    if (isEnded(options)) return;
    flushAcks(options, state);
  }
  state.isBehind = false;
  flushAcks(options, state);
  const everybody = state.isPresenceDue ? options.presenceMessage() : undefined;
  state.isPresenceDue = false;
  if (everybody !== undefined) options.socket.send(everybody);
  // Operations may have been committed since the last check.
  if (options.document.committedVersion() !== state.version) startCatchUp(options, state);
};

function startCatchUp(options: OutboundStreamOptions, state: OutboundState): void {
  if (state.isBehind) return;
  state.isBehind = true;
  catchUp(options, state).catch(options.failed);
}
