/** From `kill -9` of the runner that has a job to the job waiting for a runner again, beside the length of a lease. */
import { setTimeout as sleep } from 'node:timers/promises';
import { limits } from '../../../domain/workflow/limits';
import { report } from '../measure';
import { startWorkflows, timeOf, workflowOf } from './running-workflows';

const rounds = 3;

export const run = async (): Promise<void> => {
  const system = await startWorkflows({ long: workflowOf('long', 'sleep 1 && [ "$GITHUB_ACTIONS" ] && sleep 4') });
  const recoveries: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const id = await system.begin('long');
    await system.until(id, 'JobStarted');
    // Between heartbeats, as chance has it.
    await sleep(1_000 + 1_000 * round);
    const killed = Date.now();
    system.kill('runner');
    recoveries.push(timeOf(await system.until(id, 'JobRequeued'), 'JobRequeued') - killed);
    await system.until(id, 'RunCompleted');
  }
  const baseline = limits.leaseSeconds;
  report({ name: 'workflow-recovery.slowest', value: Math.max(...recoveries) / 1_000, unit: 's', baseline });
  report({ name: 'workflow-recovery.fastest', value: Math.min(...recoveries) / 1_000, unit: 's', baseline });
  await system.close();
};
