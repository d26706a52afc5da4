/** The parts of the workflow service. One line for each: the service opens them, and documents describe their routes. */
import { artifactPart } from './artifacts/open-artifacts';
import { logPart } from './logs/open-logs';
import { retentionPart } from './open-retention';
import type { WorkflowPart } from './platform';
import { repositoryPart } from './repositories/open-repositories';
import { runnerPart } from './runners/open-runners';
import { type RunsPlatform, runPart } from './runs/open-runs';

export const parts: readonly WorkflowPart<RunsPlatform>[] = [
  repositoryPart,
  runPart,
  logPart,
  runnerPart,
  artifactPart,
  retentionPart,
];
