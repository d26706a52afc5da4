/** Identity's processes. */
import { containOnFamilyCompromised } from '../../domain/identity/contain-on-family-compromised/process';
import { grant } from '../../domain/identity/grant/decider';
import { incident } from '../../domain/identity/incident/decider';
import { principal } from '../../domain/identity/principal/decider';
import type { ProcessContext } from '../kernel/context';
import { bindProcess, target } from '../kernel/react/bound';

export const context: ProcessContext = {
  processes: [
    bindProcess(containOnFamilyCompromised, {
      'identity.grant': target(grant),
      'identity.principal': target(principal),
      'identity.incident': target(incident),
    }),
  ],
  workshops: [],
};
