/** The editor's aggregates, for audits and the log explorer. */
import { document } from '../../domain/editor/document/decider';
import { operationLog } from '../../domain/editor/operation-log/events';
import { evolveLog, initialLogState } from '../../domain/editor/operation-log/state';
import { streams } from '../../domain/editor/streams';
import { auditedAggregate, auditedStreams } from '../kernel/audited-aggregate';

export const context = auditedStreams(streams, {
  document: auditedAggregate(document),
  log: auditedAggregate({ family: operationLog, initial: initialLogState, evolve: evolveLog }),
});
