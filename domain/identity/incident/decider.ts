/** Incident: opened once. */
import { right } from 'fp-ts/Either';
import type { Decider } from '../../kernel/decider';
import { type IncidentEvent, incidents } from './events';

export interface OpenIncident {
  readonly type: 'OpenIncident';
  readonly data: Extract<IncidentEvent, { type: 'IncidentOpened' }>['data'];
}

type IncidentState = 'none' | 'open';

export const incident: Decider<OpenIncident, IncidentState, IncidentEvent, never> = {
  family: incidents,
  initial: 'none',
  evolve: () => 'open',
  decide: ({ data }, state) => right(state === 'open' ? [] : [{ type: 'IncidentOpened', data }]),
};
