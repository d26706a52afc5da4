/** The editor's aggregates, folded by their own rules: for audits, and for the explorer of the log. */
import { document } from '../../domain/editor/document/decider';
import { operationLog } from '../../domain/editor/operation-log/events';
import { evolveLog, initialLogState } from '../../domain/editor/operation-log/state';
import { type Audited, audited } from '../kernel/audited';

export const context: readonly Audited[] = [
  audited({ ...document, aggregate: 'document' }),
  audited({ family: operationLog, aggregate: 'log', initial: initialLogState, evolve: evolveLog }),
];
