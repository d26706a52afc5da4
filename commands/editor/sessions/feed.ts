/**
 * What is committed, told to one client in order. As long as it reads, each frame goes out as it comes; one that does not read is a
 * position in what the owner keeps: when it takes more it gets merged frames from there, or a snapshot where that is not kept any more.
 */
import { cut, joined } from '../owner/frames';
import type { Frame } from '../owner/told';
import { catchUp, type FeedOptions, fallBehind, isOver, payOwed, type State, sendSnapshot } from './catching-up';
import { frameBytes } from './words';

export interface Feed {
  /** Something new, or another scene altogether. */
  readonly hear: (frame: Frame | undefined) => void;
  readonly answer: (after: number, bytes: Buffer) => void;
  /** What is not kept for those who are slow: they hear how it is when they can. */
  readonly glimpse: (bytes: Buffer) => void;
  readonly version: () => number;
  /** Answers that wait for what they are about. */
  readonly owes: () => number;
}

const send = (options: FeedOptions, state: State, bytes: Buffer): void => {
  if (!options.socket.send(bytes)) fallBehind(options, state);
};

/** Some of it may have been told with an answer. */
const tell = (options: FeedOptions, state: State, frame: Frame): void => {
  if (frame.toVersion <= state.version) return;
  state.version = frame.toVersion;
  send(options, state, frameBytes(frame));
  payOwed(options, state);
};

/** What came before an answer is not told yet where many are told at a time. */
const tellAhead = (options: FeedOptions, state: State): void => {
  const frames = options.document.since(state.version);
  if (frames === undefined) fallBehind(options, state);
  for (const frame of joined(frames ?? [])) {
    if (state.isBehind) return;
    tell(options, state, frame);
  }
};

/** `known` is the version that the client has, 0 where it has nothing; what follows is told by itself. */
export const openFeed = (options: FeedOptions, known: number): Feed => {
  const state: State = { version: known, isBehind: true, owed: [], owesPresence: true };
  const begin = async (): Promise<void> => {
    const resumption = options.document.resume(known);
    if (resumption.snapshot !== undefined || resumption.rebase) await sendSnapshot(options, state, resumption);
    if (!isOver(options)) await catchUp(options, state);
  };
  begin().catch(options.failed);
  return {
    version: () => state.version,
    owes: () => state.owed.length,
    hear: (frame) => {
      if (state.isBehind) return;
      if (frame === undefined || frame.fromVersion > state.version + 1) return fallBehind(options, state);
      tell(options, state, cut(frame, state.version));
    },
    answer: (after, bytes) => {
      if (!state.isBehind && after > state.version) tellAhead(options, state);
      if (state.isBehind || after > state.version) state.owed.push({ after, bytes });
      else send(options, state, bytes);
    },
    glimpse: (bytes) => {
      if (state.isBehind) state.owesPresence = true;
      else send(options, state, bytes);
    },
  };
};
