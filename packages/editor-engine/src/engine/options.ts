/** What an engine is opened with. */
import type { DocumentId } from '../../../../domain/editor/ids';
import type { DocumentStore } from '../ports/document-store';
import type { Locks } from '../ports/locks';
import type { Platform } from '../ports/platform';
import type { LoadSnapshot, Transport } from '../ports/transport';

export interface EngineOptions {
  readonly documentId: DocumentId;
  /** Who edits. Kept edits are theirs: the store is of one document and one person. */
  readonly userId: string;
  readonly transport: Transport;
  /** Left out, edits last as long as the engine. */
  readonly store?: DocumentStore;
  /** Among those who share the store; left out, nobody does. */
  readonly locks?: Locks;
  readonly platform: Platform;
  readonly loadSnapshot?: LoadSnapshot;
}
