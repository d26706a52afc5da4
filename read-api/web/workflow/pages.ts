/** Pages of repositories, runs and runners. One chunk. */
export { JobPage } from './log/job-page';
export { RepositoriesPage } from './repositories/repositories-page';
export { RunnersPage } from './runners/runners-page';
export { RunPage } from './runs/run-page';
export { RunsPage } from './runs/runs-page';
