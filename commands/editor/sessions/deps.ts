/** What sessions are held with. */

import type { PieceUrls } from '../../../infra/documents/piece-urls';
import type { CallerKeys } from '../../../infra/http/caller-keys';
import type { Rights } from '../../../infra/http/stream-rights';
import type { Clock } from '../../../infra/ports/clock';
import type { Log } from '../../../infra/ports/log';
import type { PresenceBoard } from '../../../infra/ports/presence-board';
import type { ClientIds } from '../owner/client-ids';
import type { Access } from '../owner/needs';
import type { Documents } from '../owner/types';
import type { Allowances } from './allowance';
import type { SessionFigures } from './figures';
import type { Sockets } from './sockets';

export interface SessionDeps {
  readonly documents: Documents;
  readonly access: Access;
  readonly shown: PieceUrls;
  readonly board: PresenceBoard;
  /** Of what clients commit, by whichever door. */
  readonly allowances: Allowances;
  readonly clientIds: ClientIds;
  /** Left out, as many as is usual. */
  readonly sockets?: Sockets;
  readonly rights: Rights;
  readonly clock: Clock;
  readonly log: Log;
  readonly figures: SessionFigures;
  /** Tickets are verified with them. */
  readonly callerKeys: CallerKeys;
  /** Aborted when the process drains: those who are there are sent to where their documents go. */
  readonly signal: AbortSignal;
}
