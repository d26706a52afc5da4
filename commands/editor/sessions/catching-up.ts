/** Somebody who is behind comes nearer step by step, as fast as they read. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { Snapshot } from '../../../domain/editor/snapshot/record';
import { emptySnapshot } from '../../../infra/documents/empty-snapshot';
import type { SnapshotFault } from '../../../infra/documents/piece-blobs';
import { ends } from '../../../infra/http/ends';
import type { Socket } from '../../../infra/ws/socket';
import type { Resumption } from '../owner/told';
import type { OpenDocument } from '../owner/types';
import type { SessionFigures } from './figures';
import { merged, said } from './words';

export interface FeedOptions {
  readonly socket: Socket;
  readonly document: OpenDocument;
  readonly snapshotBytes: (snapshot: Snapshot) => Promise<Either<SnapshotFault, Buffer>>;
  /** Everybody who is there, for one who was too slow to hear of changes. */
  readonly everybody: () => Buffer | undefined;
  readonly figures: SessionFigures;
  readonly left: AbortSignal;
  readonly failed: (error: unknown) => void;
}

interface Owed {
  /** Not before everything up to this version was told. */
  readonly after: number;
  readonly bytes: Buffer;
}

export interface State {
  /** Told up to here. */
  version: number;
  isBehind: boolean;
  readonly owed: Owed[];
  owesPresence: boolean;
}

export const isOver = ({ socket, left }: FeedOptions): boolean => socket.closed.aborted || left.aborted;

export const payOwed = ({ socket }: FeedOptions, state: State): void => {
  while (state.owed[0] !== undefined && state.owed[0].after <= state.version)
    socket.send((state.owed.shift() as Owed).bytes);
};

const emptyBytes = async ({ document }: FeedOptions): Promise<Either<never, Buffer>> => {
  const { snapshot, pieces } = await emptySnapshot(document);
  return right(said({ type: 'snapshot', snapshot, operationTail: [], pieces: [...pieces] }));
};

/** Whoever is told to begin with a snapshot gets one, also where none was taken yet. */
export const sendSnapshot = async (options: FeedOptions, state: State, resumption: Resumption): Promise<void> => {
  const { socket, snapshotBytes, figures } = options;
  const { snapshot, rebase } = resumption;
  if (rebase) socket.send(said({ type: 'rebaseRequired', snapshotVersion: snapshot?.version ?? 0 }));
  state.version = 0;
  if (snapshot === undefined && !rebase) return;
  figures.snapshot(rebase);
  const bytes = await (snapshot === undefined ? emptyBytes(options) : snapshotBytes(snapshot));
  if (isOver(options)) return;
  if (isLeft(bytes)) return socket.end(ends.unavailable);
  socket.send(bytes.right);
  state.version = snapshot?.version ?? 0;
};

/** One step nearer; false when there is nothing more to tell. */
const step = async (options: FeedOptions, state: State): Promise<boolean> => {
  const { socket, document } = options;
  const frames = document.since(state.version);
  if (frames === undefined) {
    await sendSnapshot(options, state, document.resume(state.version));
    return true;
  }
  const [first, ...rest] = frames;
  if (first === undefined) return false;
  const { bytes, toVersion } = merged([first, ...rest]);
  if (rest.length > 0) options.figures.merged();
  socket.send(bytes);
  state.version = toVersion;
  return true;
};

export const catchUp = async (options: FeedOptions, state: State): Promise<void> => {
  for (;;) {
    await options.socket.ready();
    if (isOver(options)) return;
    if (!(await step(options, state))) break;
    if (isOver(options)) return;
    payOwed(options, state);
  }
  state.isBehind = false;
  payOwed(options, state);
  const everybody = state.owesPresence ? options.everybody() : undefined;
  state.owesPresence = false;
  if (everybody !== undefined) options.socket.send(everybody);
  // Something may have been committed since it was looked for.
  if (options.document.committedVersion() !== state.version) fallBehind(options, state);
};

export function fallBehind(options: FeedOptions, state: State): void {
  if (state.isBehind) return;
  state.isBehind = true;
  catchUp(options, state).catch(options.failed);
}
