/** Identity's processes. */
import { containOnFamilyCompromised } from '../../domain/identity/contain-on-family-compromised/process';
import { grant } from '../../domain/identity/grant/decider';
import { incident } from '../../domain/identity/incident/decider';
import { principal } from '../../domain/identity/principal/decider';
import type { ProcessContext } from '../kernel/context';
import { bindProcess, commandTarget } from '../kernel/processes/process-binding';

export const context: ProcessContext = {
  processes: [
    bindProcess(containOnFamilyCompromised, {
      'identity.grant': commandTarget(grant),
      'identity.principal': commandTarget(principal),
      'identity.incident': commandTarget(incident),
    }),
  ],
  queues: [],
};
