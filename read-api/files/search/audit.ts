/** The line that every answered retrieval leaves: who was shown which chunks, and never a question, a quote or an answer (decision 0091). */
import type { ChunkId } from '../../../domain/files/ids';
import type { Log } from '../../../infra/ports/runtime/log';
import type { Identity, RouteRequest } from '../../../infra/server/http/routing/route';

export interface AuditedRetrieval {
  readonly operation: 'search' | 'answer';
  readonly mode: 'hybrid' | 'keyword' | 'semantic';
  readonly topK: number;
  /** What the caller was shown, and what a model was sent. */
  readonly chunkIds: readonly ChunkId[];
  readonly degraded: readonly string[];
  /** Of answers: what made them. */
  readonly generator?: string;
}

export type AuditRetrieval = (
  request: Pick<RouteRequest<unknown, unknown, unknown>, 'identity' | 'requestId'>,
  retrieval: AuditedRetrieval,
) => void;

const callerOf = ({ tenantId, principalId, principalType, clientId, tokenId }: Identity) => ({
  tenantId,
  principalId,
  principalType,
  clientId,
  tokenId,
});

/** The log's own fields have the time. Lists in it hold a hundred items, which is what a retrieval returns at most. */
export const auditTo =
  (log: Pick<Log, 'audit'>): AuditRetrieval =>
  ({ identity, requestId }, { chunkIds, ...retrieval }) => {
    const chunks = [...new Set(chunkIds)];
    log.audit(
      { audit: 'retrieval', ...callerOf(identity), requestId, ...retrieval, count: chunks.length, chunkIds: chunks },
      'a retrieval was answered',
    );
  };
