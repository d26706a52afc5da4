/** An open document: its parts, its session, and the tabs that share its store. */
import type { ClientId } from '../../../../domain/editor/ids';
import type { DocumentStore } from '../ports/document-store';
import type { Locks } from '../ports/locks';
import type { SceneCache } from '../storage/scene-cache';
import type { OrphanedOutbox } from '../sync/orphaned-outbox';
import type { Session } from '../sync/session';
import type { EngineParts } from './compose';
import type { EngineOptions } from './options';
import type { PresenceChannel } from './presence';
import type { TabCoordinator } from './tab-coordination';

export interface LocalDocument {
  readonly options: EngineOptions;
  readonly store: DocumentStore;
  readonly locks: Locks;
  readonly parts: EngineParts;
  readonly session: Session;
  readonly presence: PresenceChannel;
  readonly cache: SceneCache;
  tabs: TabCoordinator | undefined;
  readonly orphanedOutboxes: Map<ClientId, OrphanedOutbox>;
  /** The scene is loaded: the page can display and edit it. */
  isOpen: boolean;
  isClosed: boolean;
  /** Call when the state for the UI may have changed. */
  readonly changed: () => void;
}
