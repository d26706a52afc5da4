/** What a group keeps in memory: bounded by its buffer and by what its consumers may hold. */

import type { GroupSettings } from '../settings';
import type { Consumer, Effect, InFlightMessage, Message } from './messages';
import { createPinnedConsumers, type PinnedConsumers } from './pinned-strategy';

export interface Checkpoint {
  readonly at: number;
  readonly sequence: number;
}

export interface Replay {
  next: number;
  /** Exclusive. */
  readonly stopAt: number;
}

export interface Group {
  readonly settings: GroupSettings;
  readonly pins: PinnedConsumers;
  readonly consumers: Consumer[];
  /** Where the turn is among the consumers. */
  turn: number;
  /** Read and not yet given out, in order. */
  readonly buffer: Message[];
  /** To be given out again: in order, replayed ones last. */
  readonly retry: Message[];
  /** By id, the one that was given out first being the first. */
  readonly inFlight: Map<string, InFlightMessage>;
  /** Taken from their consumer, and not yet written to the parked stream. */
  readonly parking: Map<string, Message>;
  reading: boolean;
  /** Where to read on. */
  next: number;
  caughtUp: boolean;
  hasNewCommit: boolean;
  /** Everything up to here was looked at. */
  scannedTo: Checkpoint;
  lastFound: number | undefined;
  /** The last that is on disk; undefined before the first. */
  saved: Checkpoint | undefined;
  saving: boolean;
  /** What may move the checkpoint, since it was last tried. */
  progress: number;
  triedAt: number;
  readingParked: boolean;
  replay: Replay | undefined;
  /** Parked messages below are being replayed or were. */
  replayedTo: number;
  truncatedTo: number;
  truncating: boolean;
  total: number;
}

/** What one step works on and leaves behind. */
export interface Step {
  readonly group: Group;
  readonly now: number;
  readonly effects: Effect[];
}

export interface StartPosition {
  /** The first place to look at. */
  readonly next: number;
  readonly checkpoint: number | undefined;
}

export const createGroup = (settings: GroupSettings, { next, checkpoint }: StartPosition): Group => ({
  settings,
  pins: createPinnedConsumers(),
  consumers: [],
  turn: 0,
  buffer: [],
  retry: [],
  inFlight: new Map(),
  parking: new Map(),
  reading: false,
  next,
  caughtUp: false,
  hasNewCommit: false,
  scannedTo: { at: checkpoint ?? next - 1, sequence: 0 },
  lastFound: undefined,
  saved: checkpoint === undefined ? undefined : { at: checkpoint, sequence: 0 },
  saving: false,
  progress: 0,
  triedAt: Number.NEGATIVE_INFINITY,
  readingParked: false,
  replay: undefined,
  replayedTo: 0,
  truncatedTo: 0,
  truncating: false,
  total: 0,
});

/** More than this is not kept, whatever the settings say. */
const maxBufferSize = 10_000;

const bufferLimit = ({ settings }: Group): number => Math.min(settings.historyBufferSize, maxBufferSize);
export const freeBufferSlots = (group: Group): number => bufferLimit(group) - group.buffer.length - group.retry.length;
/** A page leaves room for what is given back meanwhile. */
export const pageSize = (group: Group): number => Math.min(group.settings.readBatchSize, bufferLimit(group));
