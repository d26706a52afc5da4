/** Aggregates of workflows, for audits and the log explorer. */
import { artifact } from '../../domain/workflow/artifact/decider';
import { organization } from '../../domain/workflow/organization/decider';
import { repository } from '../../domain/workflow/repository/decider';
import { run } from '../../domain/workflow/run/decider';
import { runner } from '../../domain/workflow/runner/decider';
import { startRunsOnTriggerReceived } from '../../domain/workflow/start-runs-on-trigger-received/process';
import { streams } from '../../domain/workflow/streams';
import { trigger } from '../../domain/workflow/trigger/decider';
import { auditedAggregate, auditedProcess, auditedStreams } from '../kernel/audited-aggregate';

export const context = [
  ...auditedStreams(streams, {
    organization: auditedAggregate(organization),
    repository: auditedAggregate(repository),
    trigger: auditedAggregate(trigger),
    run: auditedAggregate(run),
    runner: auditedAggregate(runner),
    artifact: auditedAggregate(artifact),
  }),
  auditedProcess(startRunsOnTriggerReceived),
];
