/** One document's surroundings: its log, its leases, its object storage, and what may happen to each. */

import type { Role } from '../../../../domain/editor/roles';
import type { Instant } from '../../../../domain/kernel/codec';
import { openMemoryEventStore } from '../../../../infra/adapters/eventstore/memory-event-store';
import type { SharedLeases } from '../../../../infra/adapters/redis/editor/memory-document-leases';
import { openMemoryPresenceStore } from '../../../../infra/adapters/redis/editor/memory-presence-store';
import type { EventStore } from '../../../../infra/ports/event-store';
import { resetTimeSlicing } from '../../../../infra/server/documents/time-slicing';
import { openTime, type Time } from '../../../packages/editor-engine/simulation/controlled-time';
import { type RecordedLog, recordingLog } from '../../../support/waiting/recording-log';
import { place, stream } from '../../document-owner/fixture';
import { everyoneEdits } from '../../document-owner/memory-dependencies';
import { takeClocks } from './fake-timers';

export { place, stream };

export interface ReportedResult {
  readonly status: string;
  readonly version: number | undefined;
}

export interface World {
  readonly time: Time;
  readonly chance: () => number;
  /** Answers something below a number. */
  readonly below: (count: number) => number;
  readonly wait: (milliseconds: number) => Promise<void>;
  readonly now: () => Instant;
  readonly store: EventStore;
  readonly leases: SharedLeases;
  readonly pieces: Map<string, Uint8Array>;
  readonly board: ReturnType<typeof openMemoryPresenceStore>;
  readonly roles: ReturnType<typeof everyoneEdits>;
  readonly log: RecordedLog;
  /** Results that clients received of their operations, from any owner. */
  readonly reported: Map<string, ReportedResult[]>;
  /** Operations that were kept by pages that ended. */
  readonly owed: Set<string>;
  /** Operations that an owner reported as done, or as without effect, to a client that joined. */
  readonly came: Set<string>;
  /** Operations whose author was notified that they were dropped or changed. */
  readonly noticed: Set<string>;
  /** What versions were like when they were named. */
  readonly named: Map<number, string>;
  /** The highest version in the log. */
  committed: number;
  /** Nothing goes wrong any more. */
  isCalm: boolean;
  readonly assign: (userId: string, role: Role | undefined) => void;
  readonly end: () => void;
}

export const openWorld = (seed: number): World => {
  resetTimeSlicing();
  const time = openTime(seed);
  const rights = everyoneEdits();
  const world: World = {
    time,
    chance: time.random,
    store: openMemoryEventStore(),
    leases: new Map(),
    pieces: new Map(),
    board: openMemoryPresenceStore(),
    roles: rights,
    log: recordingLog(),
    reported: new Map(),
    owed: new Set<string>(),
    noticed: new Set<string>(),
    came: new Set<string>(),
    named: new Map<number, string>(),
    committed: 0,
    isCalm: false,
    below: (count) => Math.floor(time.random() * count),
    wait: (milliseconds) => new Promise((resolve) => void time.schedule(milliseconds, () => resolve())),
    now: () => new Date(time.now()).toISOString() as Instant,
    assign: (userId, role) => {
      rights.set(userId, role);
      rights.become('active');
    },
    end: takeClocks(time),
  };
  return world;
};
