/** Every process and every workshop of every context; a line each. */
import { containOnFamilyCompromised } from '../domain/identity/contain-on-family-compromised/process';
import { grant } from '../domain/identity/grant/decider';
import { incident } from '../domain/identity/incident/decider';
import { principal } from '../domain/identity/principal/decider';
import { type BoundProcess, bindProcess, target } from './kernel/react/bound';
import type { Workshop } from './kernel/react/worker';

export const processes: readonly BoundProcess[] = [
  bindProcess(containOnFamilyCompromised, {
    'identity.grant': target(grant),
    'identity.principal': target(principal),
    'identity.incident': target(incident),
  }),
];

export const workshops: readonly Workshop[] = [];
