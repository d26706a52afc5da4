/** The platform's own part of the console. */
import type { Section } from '../shell/section';
import { DeadLettersPage } from './dead-letters';
import { EventPage } from './event';
import { FindPage } from './find';
import { HealthPage } from './health';
import { LivePage } from './live';
import { ProcessesPage } from './processes';
import { StreamPage } from './stream';
import { StreamsPage } from './streams';
import { TimersPage } from './timers';
import { ViewsPage } from './views';

export const platform: Section = {
  title: 'Platform',
  scope: 'platform:read',
  links: [
    { path: '/console/streams', label: 'Streams', key: 's' },
    { path: '/console/live', label: 'Live log', key: 'l' },
    { path: '/console/views', label: 'Views', key: 'v' },
    { path: '/console/processes', label: 'Processes', key: 'p' },
    { path: '/console/dead-letters', label: 'Dead letters', key: 'd' },
    { path: '/console/health', label: 'Health', key: 'h' },
  ],
  pages: [
    { path: '/console/streams', show: StreamsPage },
    { path: '/console/streams/:stream', show: StreamPage },
    { path: '/console/streams/:stream/:revision', show: EventPage },
    { path: '/console/events/:eventId', show: FindPage },
    { path: '/console/live', show: LivePage },
    { path: '/console/views', show: ViewsPage },
    { path: '/console/processes', show: ProcessesPage },
    { path: '/console/processes/:process/timers', show: TimersPage },
    { path: '/console/dead-letters', show: DeadLettersPage },
    { path: '/console/health', show: HealthPage },
  ],
};
