/** The state of a group, bounded by its buffer and by what its consumers may hold. */

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
  /** Which consumer is next in turn. */
  turn: number;
  /** Messages that were read and not yet delivered, in order. */
  readonly buffer: Message[];
  /** Messages to deliver again: in order, replayed ones last. */
  readonly retry: Message[];
  /** By id, in the order of delivery. */
  readonly inFlight: Map<string, InFlightMessage>;
  /** Messages that left their consumer and are not yet written to the parked stream. */
  readonly parking: Map<string, Message>;
  reading: boolean;
  /** Where the next read begins. */
  next: number;
  caughtUp: boolean;
  hasNewCommit: boolean;
  /** Everything up to here was read. */
  scannedTo: Checkpoint;
  lastFound: number | undefined;
  /** The last checkpoint on disk; undefined before the first. */
  saved: Checkpoint | undefined;
  saving: boolean;
  /** How many messages were handled since the last attempt to write a checkpoint. */
  progress: number;
  triedAt: number;
  readingParked: boolean;
  replay: Replay | undefined;
  /** Parked messages below this revision were replayed or are being replayed. */
  replayedTo: number;
  truncatedTo: number;
  truncating: boolean;
  total: number;
}

/** What one step of the state machine works on, and the effects that it collects. */
export interface Step {
  readonly group: Group;
  readonly now: number;
  readonly effects: Effect[];
}

export interface StartPosition {
  /** The first place to read. */
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

/** The upper bound of the buffer, whatever the settings. */
const maxBufferSize = 10_000;

const bufferLimit = ({ settings }: Group): number => Math.min(settings.historyBufferSize, maxBufferSize);
export const freeBufferSlots = (group: Group): number => bufferLimit(group) - group.buffer.length - group.retry.length;
/** A page leaves room for messages that come back meanwhile. */
export const pageSize = (group: Group): number => Math.min(group.settings.readBatchSize, bufferLimit(group));
