/** Manifest of the platform pages. */
import type { Section } from '../shell/section';
import type * as Pages from './pages';

const page = (name: keyof typeof Pages) => async () => (await import('./pages'))[name];

export const platform: Section = {
  title: 'Platform',
  group: 'platform',
  scope: 'platform:read',
  links: [
    {
      path: '/console/overview',
      label: 'Overview',
      key: 'o',
      isStart: true,
      words: ['metrics', 'charts', 'problems', 'home', 'start'],
    },
    { path: '/console/streams', label: 'Streams', key: 's', words: ['events', 'history'] },
    { path: '/console/live', label: 'Live log', key: 'l', words: ['logs', 'events', 'follow'] },
    {
      path: '/console/views',
      label: 'Views',
      key: 'v',
      words: ['read models', 'projections', 'projectors', 'rebuild', 'lag'],
    },
    { path: '/console/processes', label: 'Processes', key: 'p' },
    { path: '/console/jobs', label: 'Jobs', key: 'w', words: ['queues', 'workers'] },
    { path: '/console/dead-letters', label: 'Dead letters', key: 'd', words: ['failed', 'retry'] },
    {
      path: '/console/health',
      label: 'Health',
      key: 'h',
      words: ['status', 'elasticsearch', 'postgres', 'redis', 'event store', 'object storage', 'disk', 'down'],
    },
  ],
  pages: [
    // A script of its own: charts are of no use elsewhere.
    { path: '/console/overview', load: async () => (await import('./overview/overview-page')).OverviewPage },
    { path: '/console/streams', load: page('StreamsPage') },
    { path: '/console/streams/:stream', load: page('StreamPage') },
    { path: '/console/streams/:stream/:revision', load: page('EventPage') },
    { path: '/console/events/:eventId', load: page('FindEventPage') },
    { path: '/console/live', load: page('LivePage') },
    { path: '/console/views', load: page('ViewsPage') },
    { path: '/console/processes', load: page('ProcessesPage') },
    { path: '/console/processes/:process/timers', load: page('TimersPage') },
    { path: '/console/jobs', load: page('JobsPage') },
    { path: '/console/jobs/:jobId', load: page('JobPage') },
    { path: '/console/dead-letters', load: page('DeadLettersPage') },
    { path: '/console/health', load: page('HealthPage') },
  ],
};
