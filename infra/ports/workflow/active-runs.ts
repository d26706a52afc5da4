/** The runs that have not ended, so that a coordinator that starts need not read the whole log. */
import type { Either } from 'fp-ts/Either';
import type { TenantId } from '../../../domain/kernel/ids';
import type { Fault } from '../../../domain/kernel/rejection';
import type { RunId } from '../../../domain/workflow/ids';

export type ActiveRunsFault = Fault<'active-runs-unavailable'>;

export interface ActiveRun {
  readonly tenantId: TenantId;
  readonly runId: RunId;
}

export interface ActiveRuns {
  /** All of them; some may have ended. */
  readonly list: () => Promise<Either<ActiveRunsFault, readonly ActiveRun[]>>;
  readonly add: (run: ActiveRun) => Promise<Either<ActiveRunsFault, void>>;
  readonly remove: (runId: RunId) => Promise<Either<ActiveRunsFault, void>>;
}
