/** Options of an engine. */
import type { DocumentId } from '../../../../domain/editor/ids';
import type { DocumentStore } from '../ports/document-store';
import type { Locks } from '../ports/locks';
import type { Platform } from '../ports/platform';
import type { LoadSnapshot, Transport } from '../ports/transport';

export interface EngineOptions {
  readonly documentId: DocumentId;
  /** The user who edits. The store belongs to one document and one user. */
  readonly userId: string;
  readonly transport: Transport;
  /** If omitted, edits last as long as the engine. */
  readonly store?: DocumentStore;
  /** Locks among the tabs that share the store; if omitted, none do. */
  readonly locks?: Locks;
  readonly platform: Platform;
  readonly loadSnapshot?: LoadSnapshot;
}
