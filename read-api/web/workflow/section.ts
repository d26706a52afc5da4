/** Manifest of the pages of workflows. */
import type { PagePolicy, Section } from '../shell/section';
import type * as Pages from './pages';

const page = (name: keyof typeof Pages) => async () => (await import('./pages'))[name];

/** Artifacts are downloaded from the object store, on the page of a run. The others have its policy, so that links among them stay in one document. */
const policy: PagePolicy = { objectStore: true };

export const workflow: Section = {
  title: 'Workflows',
  group: 'services',
  scope: 'workflows:read',
  links: [
    {
      path: '/console/services/workflows',
      label: 'Workflows',
      key: 't',
      words: ['ci', 'actions', 'builds', 'runs', 'minutes'],
    },
    { path: '/console/repositories', label: 'Repositories', key: 'b', words: ['push', 'git', 'clone'] },
    { path: '/console/runners', label: 'Runners', key: 'x', words: ['machines', 'workers', 'labels'] },
  ],
  pages: [
    // A script of its own: it has charts.
    {
      path: '/console/services/workflows',
      policy,
      load: async () => (await import('./overview-page')).WorkflowsOverviewPage,
    },
    { path: '/console/repositories', policy, load: page('RepositoriesPage') },
    { path: '/console/repositories/:repoId/runs', policy, load: page('RunsPage') },
    { path: '/console/runs/:runId', policy, load: page('RunPage') },
    { path: '/console/runs/:runId/jobs/:jobId', policy, load: page('JobPage') },
    { path: '/console/runners', policy, load: page('RunnersPage') },
  ],
};
