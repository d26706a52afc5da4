/** The aggregates of workflows. */

import type { ContextAggregates } from '../kernel/aggregate';
import { artifact } from './artifact/decider';
import { definition } from './definition/decider';
import { organization } from './organization/decider';
import { references } from './references';
import { repository } from './repository/decider';
import { run } from './run/decider';
import { runner } from './runner/decider';
import { trigger } from './trigger/decider';

export const context: ContextAggregates = {
  aggregates: [organization, repository, definition, trigger, run, runner, artifact],
  references,
};
