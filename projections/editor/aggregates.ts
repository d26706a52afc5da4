/** The editor's aggregates, for audits and the log explorer. */
import { document } from '../../domain/editor/document/decider';
import { operationLog } from '../../domain/editor/operation-log/events';
import { evolveLog, initialLogState } from '../../domain/editor/operation-log/state';
import { type Audited, audited } from '../kernel/audited';

export const context: readonly Audited[] = [
  audited({ ...document, aggregate: 'document' }),
  audited({ family: operationLog, aggregate: 'log', initial: initialLogState, evolve: evolveLog }),
];
