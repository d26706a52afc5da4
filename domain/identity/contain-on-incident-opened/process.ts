/** Has a worker take the steps of containment that were not taken when the incident was opened. */
import type { TypeOf } from 'io-ts';
import { record } from '../../kernel/codec';
import type { JobQueue } from '../../kernel/job-queue';
import { enqueueJob, policy } from '../../kernel/process';
import { IncidentId } from '../ids';
import { incidents } from '../incident/events';

const Containment = record('Containment', { incidentId: IncidentId });
export type Containment = TypeOf<typeof Containment>;

export const containmentQueue: JobQueue<Containment> = { name: 'identity-containment', payload: Containment };

/** Before all other work. */
const priority = 1_000;
/** With pauses that double to five minutes, about eight hours: stores may be away. */
const mostAttempts = 100;

export const containOnIncidentOpened = policy({
  name: 'contain-on-incident-opened',
  context: 'identity',
  subscribes: [incidents],
  startFrom: 'first-run',
  key: ({ event, entityId }) =>
    event.type === 'IncidentOpened' && event.data.reach !== 'nothing' ? entityId : undefined,
  answer: ({ event }) => {
    if (event.type !== 'IncidentOpened') return [];
    const { incidentId } = event.data;
    return [enqueueJob(containmentQueue, { incidentId }, { priority, mostAttempts })];
  },
});
