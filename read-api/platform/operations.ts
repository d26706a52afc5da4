/** What the queries about processes and their work have in common. */

import { commonProblems } from '../../infra/http/problem';
import type { Clock } from '../../infra/ports/clock';
import type { ProcessLedgerReader } from '../../infra/ports/process-ledger';
import type { Explorer } from './explorer';
import { searched } from './wire';

export interface Operations extends Pick<Explorer, 'operators'> {
  readonly processes: ProcessLedgerReader;
  readonly clock: Clock;
}

export const ProcessName = searched('ProcessName', { maxLength: 128, examples: ['close-account-on-request'] });
export const ledgerProblems = { 'view-store-unavailable': commonProblems['view-store-unavailable'] };
