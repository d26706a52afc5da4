/** Shared by the queries about processes and their work. */

import type { ProcessStatusReader } from '../../../infra/ports/processes/process-status';
import type { Clock } from '../../../infra/ports/runtime/clock';
import { commonProblems } from '../../../infra/server/http/problem';
import type { Explorer } from '../explorer';
import { searched } from '../schemas';

export interface Operations extends Pick<Explorer, 'operators'> {
  readonly processes: ProcessStatusReader;
  readonly clock: Clock;
}

export const ProcessName = searched('ProcessName', { maxLength: 128, examples: ['close-account-on-request'] });
export const ledgerProblems = { 'view-store-unavailable': commonProblems['view-store-unavailable'] };
