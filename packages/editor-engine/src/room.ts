/** A document that is open: its parts, the session, and tabs beside this one. */
import type { ClientId } from '../../../domain/editor/ids';
import type { Neighbours } from './clients';
import type { Parts } from './core';
import type { Cache } from './keep/cache';
import type { EngineOptions } from './options';
import type { Locks } from './ports/locks';
import type { DocumentStore } from './ports/store';
import type { OpenPresence } from './presence';
import type { Courier } from './sync/courier';
import type { Session } from './sync/session';

export interface Room {
  readonly options: EngineOptions;
  readonly store: DocumentStore;
  readonly locks: Locks;
  readonly parts: Parts;
  readonly session: Session;
  readonly presence: OpenPresence;
  readonly cache: Cache;
  neighbours: Neighbours | undefined;
  readonly couriers: Map<ClientId, Courier>;
  /** There is something to show and to edit. */
  isOpen: boolean;
  isClosed: boolean;
  /** Called when something of what is shown of it may be another. */
  readonly changed: () => void;
}
