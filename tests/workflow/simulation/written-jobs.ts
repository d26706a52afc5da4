/** Definitions of a few jobs, each of which needs some of the earlier ones. */

import type { SeededRandom } from '../../support/random/seeded-random';
import type { WrittenJob, WrittenJobs } from '../../support/workflow/definitions';

export const writtenJobs = (random: SeededRandom): WrittenJobs => {
  const jobs: { [key: string]: WrittenJob } = {};
  const count = 1 + random.below(5);
  for (let index = 0; index < count; index += 1) {
    const needs = Object.keys(jobs).filter(() => random.chance(0.5));
    jobs[`job-${index}`] = {
      needs,
      lostRetries: random.below(3),
      failFast: random.chance(0.5),
      continueOnError: random.chance(0.2),
      timeoutMinutes: random.chance(0.1) ? 1 : 120,
      cancelGraceSeconds: 20,
      maxParallel: random.chance(0.3) ? 1 : null,
      ...(random.chance(0.3) ? { if: random.pick(['always', 'failure', ...needs]) } : {}),
      ...(needs.length > 0 && random.chance(0.4) ? { matrixFrom: random.pick(needs) } : {}),
    };
  }
  return jobs;
};
