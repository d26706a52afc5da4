/**
 * What is committed, told to one client in order. As long as it reads, each frame goes out as it comes; one that does not read is a
 * position in what the owner keeps: when it takes more it gets merged frames from there, or a snapshot where that is not kept any more.
 */

import { type Either, isLeft, right } from 'fp-ts/Either';
import type { Snapshot } from '../../../domain/editor/snapshot/snapshot';
import { emptySnapshot } from '../../../infra/documents/empty-snapshot';
import type { SnapshotFault } from '../../../infra/documents/piece-blobs';
import { ends } from '../../../infra/http/ends';
import type { Socket } from '../../../infra/ws/socket';
import { mergeFrames, sliceFrame } from '../document-owner/broadcast/operation-frames';
import type { CatchUp, DocumentHandle, OperationFrame } from '../document-owner/document-handle';
import { encodeFrameOnce, encodeMergedFrame, encodeMessage } from './message-encoding';
import type { SessionMetrics } from './metrics';

export interface OutboundStream {
  /** Something new, or another scene altogether. */
  readonly sendFrame: (frame: OperationFrame | undefined) => void;
  readonly acknowledge: (after: number, bytes: Buffer) => void;
  /** What is not kept for those who are slow: they hear how it is when they can. */
  readonly sendPresence: (bytes: Buffer) => void;
  readonly version: () => number;
  /** Answers that wait for what they are about. */
  readonly pendingAcks: () => number;
}

const send = (options: OutboundStreamOptions, state: OutboundState, bytes: Buffer): void => {
  if (!options.socket.send(bytes)) startCatchUp(options, state);
};

/** Some of it may have been told with an answer. */
const sendFrame = (options: OutboundStreamOptions, state: OutboundState, frame: OperationFrame): void => {
  if (frame.toVersion <= state.version) return;
  state.version = frame.toVersion;
  send(options, state, encodeFrameOnce(frame));
  flushAcks(options, state);
};

/** What came before an answer is not told yet where many are told at a time. */
const sendUpToAck = (options: OutboundStreamOptions, state: OutboundState): void => {
  const frames = options.document.framesAfter(state.version);
  if (frames === undefined) startCatchUp(options, state);
  for (const frame of mergeFrames(frames ?? [])) {
    if (state.isBehind) return;
    sendFrame(options, state, frame);
  }
};

/** `known` is the version that the client has, 0 where it has nothing; what follows is told by itself. */
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

/** Somebody who is behind comes nearer step by step, as fast as they read. */

export interface OutboundStreamOptions {
  readonly socket: Socket;
  readonly document: DocumentHandle;
  readonly snapshotBytes: (snapshot: Snapshot) => Promise<Either<SnapshotFault, Buffer>>;
  /** Everybody who is there, for one who was too slow to hear of changes. */
  readonly presenceMessage: () => Buffer | undefined;
  readonly metrics: SessionMetrics;
  readonly leaving: AbortSignal;
  readonly failed: (error: unknown) => void;
}

interface DelayedAck {
  /** Not before everything up to this version was told. */
  readonly after: number;
  readonly bytes: Buffer;
}

export interface OutboundState {
  /** Told up to here. */
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

/** Whoever is told to begin with a snapshot gets one, also where none was taken yet. */
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
  if (isLeft(bytes)) return socket.end(ends.unavailable);
  socket.send(bytes.right);
  state.version = snapshot?.version ?? 0;
};

/** One step nearer; false when there is nothing more to tell. */
const catchUpStep = async (options: OutboundStreamOptions, state: OutboundState): Promise<boolean> => {
  const { socket, document } = options;
  const frames = document.framesAfter(state.version);
  if (frames === undefined) {
    await sendSnapshot(options, state, document.catchUp(state.version));
    return true;
  }
  const [first, ...rest] = frames;
  if (first === undefined) return false;
  const { bytes, toVersion } = encodeMergedFrame([first, ...rest]);
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
  // Something may have been committed since it was looked for.
  if (options.document.committedVersion() !== state.version) startCatchUp(options, state);
};

function startCatchUp(options: OutboundStreamOptions, state: OutboundState): void {
  if (state.isBehind) return;
  state.isBehind = true;
  catchUp(options, state).catch(options.failed);
}
