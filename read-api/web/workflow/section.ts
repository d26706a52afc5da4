/** Manifest of the pages of workflows. */
import type { PagePolicy, Section } from '../shell/section';
import type * as Pages from './pages';

const page = (name: keyof typeof Pages) => async () => (await import('./pages'))[name];

/** Artifacts are downloaded from the object store. */
const policy: PagePolicy = { objectStore: true };

export const workflow: Section = {
  title: 'Workflows',
  scope: 'workflows:read',
  links: [
    { path: '/console/repositories', label: 'Repositories', key: 'b' },
    { path: '/console/runners', label: 'Runners', key: 'x' },
  ],
  pages: [
    { path: '/console/repositories', load: page('RepositoriesPage') },
    { path: '/console/repositories/:repoId/runs', load: page('RunsPage') },
    { path: '/console/runs/:runId', policy, load: page('RunPage') },
    { path: '/console/runs/:runId/jobs/:jobId', load: page('JobPage') },
    { path: '/console/runners', load: page('RunnersPage') },
  ],
};
