/** The parts of the workflow service. One line for each: the service opens them, and documents describe their routes. */

import type { WorkflowPart } from './adapters';
import { artifactPart } from './artifacts/open-artifacts';
import { logPart } from './logs/open-logs';
import { retentionPart } from './open-retention';
import { repositoryPart } from './repositories/open-repositories';
import { runnerPart } from './runners/open-runners';
import { type RunsAdapters, runPart } from './runs/open-runs';

export const parts: readonly WorkflowPart<RunsAdapters>[] = [
  repositoryPart,
  runPart,
  logPart,
  runnerPart,
  artifactPart,
  retentionPart,
];
