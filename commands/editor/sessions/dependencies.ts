/** Dependencies of sessions. */

import type { PresenceStore } from '../../../infra/ports/editor/presence-store';
import type { Clock } from '../../../infra/ports/runtime/clock';
import type { Log } from '../../../infra/ports/runtime/log';
import type { PieceUrls } from '../../../infra/server/documents/piece-urls';
import type { CallerKeys } from '../../../infra/server/http/identity/caller-keys';
import type { RevocationWatch } from '../../../infra/server/http/streaming/revocation-watch';
import type { ClientIds } from '../document-owner/client-ids';
import type { DocumentRegistry } from '../document-owner/document-handle';
import type { AccessSource } from '../ports';
import type { ConnectionCounter } from './connection-limit';
import type { SessionMetrics } from './metrics';
import type { RateLimiter } from './rate-limits';

export interface SessionDeps {
  readonly documents: DocumentRegistry;
  readonly access: AccessSource;
  readonly pieceUrls: PieceUrls;
  readonly presenceStore: PresenceStore;
  /** Shared by sockets and HTTP batches. */
  readonly rateLimiter: RateLimiter;
  readonly clientIds: ClientIds;
  /** If omitted, the default limit applies. */
  readonly connections?: ConnectionCounter;
  readonly rights: RevocationWatch;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: SessionMetrics;
  /** Keys that verify tickets. */
  readonly callerKeys: CallerKeys;
  /** Aborted when the process drains; clients then reconnect to the next owners. */
  readonly signal: AbortSignal;
}
