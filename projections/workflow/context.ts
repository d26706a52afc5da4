/** The views of workflows. */
import type { Projection } from '../kernel/projection';
import { artifactsProjection } from './artifacts/project';
import { jobAttemptsProjection } from './job-attempts/project';
import { jobsProjection } from './jobs/project';
import { organizationsProjection } from './organizations/project';
import { repositoriesProjection } from './repositories/project';
import { runnersProjection } from './runners/project';
import { runsProjection } from './runs/project';

export const context: readonly Projection[] = [
  organizationsProjection,
  repositoriesProjection,
  runsProjection,
  jobsProjection,
  jobAttemptsProjection,
  runnersProjection,
  artifactsProjection,
];
