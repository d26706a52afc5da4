/** Runs: their routes, and the coordinator that moves them on. */
import type { ProcessCheckpoints } from '../../../infra/ports/processes/checkpoints';
import type { Leases } from '../../../infra/ports/processes/leases';
import type { ActiveRuns } from '../../../infra/ports/workflow/active-runs';
import type { ConcurrencyGroups } from '../../../infra/ports/workflow/concurrency-groups';
import { type WorkflowAdapters, workflowPart } from '../adapters';
import { startCoordinator } from './coordinator';
import { runRoutes } from './routes';

export interface RunsAdapters extends WorkflowAdapters {
  readonly leases: Leases;
  readonly checkpoints: ProcessCheckpoints;
  readonly activeRuns: ActiveRuns;
  readonly groups: ConcurrencyGroups;
}

export const runPart = workflowPart({
  open: (adapters: RunsAdapters) => {
    const coordinator = startCoordinator(adapters);
    return {
      deps: adapters,
      background: [coordinator.ended],
      health: async () => ({ coordinator: coordinator.health() }),
    };
  },
  routes: runRoutes,
});
