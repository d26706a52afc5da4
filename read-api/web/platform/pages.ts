/** Pages of the section. One chunk, loaded with the first of them. */
export { EventPage } from './event-log/event-page';
export { FindEventPage } from './event-log/find-event';
export { LivePage } from './event-log/live-log-page';
export { StreamPage } from './event-log/stream-page';
export { StreamsPage } from './event-log/streams-page';
export { DeadLettersPage } from './operations/dead-letters-page';
export { HealthPage } from './operations/health-page';
export { JobPage } from './operations/job-page';
export { JobsPage } from './operations/jobs-page';
export { ProcessesPage } from './operations/processes-page';
export { TimersPage } from './operations/timers-page';
export { ViewsPage } from './operations/views-page';
