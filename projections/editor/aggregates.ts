/** The editor's aggregates, folded by their own rules: for audits, and for the explorer of the log. */
import { document } from '../../domain/editor/document/decider';
import { log } from '../../domain/editor/log/events';
import { evolveLog, nothingCommitted } from '../../domain/editor/log/state';
import { type Audited, audited } from '../kernel/audited';

export const context: readonly Audited[] = [
  audited({ ...document, aggregate: 'document' }),
  audited({ family: log, aggregate: 'log', initial: nothingCommitted, evolve: evolveLog }),
];
