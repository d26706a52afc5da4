/** Manifest of the platform pages. */
import type { Section } from '../shell/section';
import { EventPage } from './event-log/event-page';
import { FindEventPage } from './event-log/find-event';
import { LivePage } from './event-log/live-log-page';
import { StreamPage } from './event-log/stream-page';
import { StreamsPage } from './event-log/streams-page';
import { DeadLettersPage } from './operations/dead-letters-page';
import { HealthPage } from './operations/health-page';
import { JobPage } from './operations/job-page';
import { JobsPage } from './operations/jobs-page';
import { ProcessesPage } from './operations/processes-page';
import { TimersPage } from './operations/timers-page';
import { ViewsPage } from './operations/views-page';

export const platform: Section = {
  title: 'Platform',
  scope: 'platform:read',
  links: [
    { path: '/console/streams', label: 'Streams', key: 's' },
    { path: '/console/live', label: 'Live log', key: 'l' },
    { path: '/console/views', label: 'Views', key: 'v' },
    { path: '/console/processes', label: 'Processes', key: 'p' },
    { path: '/console/jobs', label: 'Jobs', key: 'w' },
    { path: '/console/dead-letters', label: 'Dead letters', key: 'd' },
    { path: '/console/health', label: 'Health', key: 'h' },
  ],
  pages: [
    { path: '/console/streams', show: StreamsPage },
    { path: '/console/streams/:stream', show: StreamPage },
    { path: '/console/streams/:stream/:revision', show: EventPage },
    { path: '/console/events/:eventId', show: FindEventPage },
    { path: '/console/live', show: LivePage },
    { path: '/console/views', show: ViewsPage },
    { path: '/console/processes', show: ProcessesPage },
    { path: '/console/processes/:process/timers', show: TimersPage },
    { path: '/console/jobs', show: JobsPage },
    { path: '/console/jobs/:jobId', show: JobPage },
    { path: '/console/dead-letters', show: DeadLettersPage },
    { path: '/console/health', show: HealthPage },
  ],
};
