/** Identity's processes. */
import { alert } from '../../domain/identity/detection/alert/decider';
import { incident } from '../../domain/identity/incident/decider';
import { processes } from '../../domain/identity/processes';
import { session } from '../../domain/identity/session/decider';
import type { Instant } from '../../domain/kernel/codec';
import { createDetectionSource } from '../../infra/adapters/redis/auth-events/detection-stream';
import { openRedis } from '../../infra/adapters/redis/connection';
import { openRedisLeaseStore } from '../../infra/adapters/redis/process-lease-store';
import { createCommandMetrics } from '../kernel/command-metrics';
import type { BackgroundDeps, ProcessContext } from '../kernel/context';
import { bindProcesses, commandTarget } from '../kernel/processes/process-binding';
import { runDetection } from './detection/run-detection';
import { containments } from './incidents/containment-queue';
import { logoutNotifications } from './sessions/notification-queue';

const detect = async ({ redisUrl, metrics, ...deps }: BackgroundDeps): Promise<void> => {
  if (redisUrl === undefined) return;
  const redis = openRedis(redisUrl);
  const leases = openRedisLeaseStore(redisUrl);
  const clock = { now: () => new Date().toISOString() as Instant };
  const commandMetrics = createCommandMetrics(metrics);
  await runDetection({ ...deps, clock, commandMetrics, leases, source: createDetectionSource(redis) });
  redis.disconnect();
  await leases.close();
};

export const context: ProcessContext<typeof processes> = {
  processes: bindProcesses(processes, {
    alertOnCredentialReuse: { 'identity.alert': commandTarget(alert) },
    containOnIncidentOpened: {},
    endSessionsOnSecurityEpochBumped: { 'identity.session': commandTarget(session) },
    notifyOnClientSignedOut: {},
    openIncidentOnAlert: { 'identity.incident': commandTarget(incident) },
    openIncidentOnCompromise: { 'identity.incident': commandTarget(incident) },
  }),
  queues: [logoutNotifications, containments],
  background: detect,
};
