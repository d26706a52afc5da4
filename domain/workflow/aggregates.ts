/** The aggregates and processes of workflows. */

import { type ContextAggregates, instancesOf } from '../kernel/aggregate';
import { artifact } from './artifact/decider';
import { organization } from './organization/decider';
import { references } from './references';
import { repository } from './repository/decider';
import { run } from './run/decider';
import { runner } from './runner/decider';
import { startRunsOnTriggerReceived } from './start-runs-on-trigger-received/process';
import { trigger } from './trigger/decider';

export const context: ContextAggregates = {
  aggregates: [organization, repository, trigger, run, runner, artifact],
  processes: [instancesOf(startRunsOnTriggerReceived)],
  references,
};
