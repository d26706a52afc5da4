/**
 * Graphs of runs: what the runner of each job receives, a blob for all jobs of a definition. The copy of the service that stored a graph mostly
 * assigns its jobs, too, so that graphs are remembered as they are handed out.
 */
import { hash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { LRUCache } from 'lru-cache';
import { decodeStored } from '../../domain/kernel/codec';
import { type Fault, fault } from '../../domain/kernel/rejection';
import type { Checksum } from '../../domain/workflow/ids';
import { GraphContent } from '../../domain/workflow/protocol/job-content';
import type { BlobStore } from '../../infra/ports/blob-store';
import type { ActiveRun } from '../../infra/ports/workflow/active-runs';

export interface StoredGraph {
  readonly graphKey: string;
  readonly graphDigest: Checksum;
}

type Answer<Value> = Promise<Either<Fault, Value>>;

export interface Graphs {
  /** Named by its digest: the same graph stored twice is one blob. */
  readonly store: (run: ActiveRun, content: GraphContent) => Answer<StoredGraph>;
  /** `job-content-unreadable`: trying again would not help. */
  readonly read: (graph: { readonly graphKey: string; readonly graphDigest: string }) => Answer<GraphContent>;
}

const unreadable = (detail: string) => left(fault('job-content-unreadable', detail));

const defaultBytes = 16 * 2 ** 20;

export const openGraphs = (blobs: Pick<BlobStore, 'put' | 'get'>, mostBytes = defaultBytes): Graphs => {
  const memory = new LRUCache<string, GraphContent>({ maxSize: mostBytes });
  const idOf = ({ graphKey, graphDigest }: Parameters<Graphs['read']>[0]): string => `${graphKey} ${graphDigest}`;
  return {
    store: async ({ tenantId, runId }, content) => {
      const body = Buffer.from(JSON.stringify(GraphContent.encode(content)));
      const digest = hash('sha256', body, 'hex');
      const graph = {
        graphKey: `workflow/${tenantId}/graphs/${runId}/${digest}.json`,
        graphDigest: `sha256:${digest}` as Checksum,
      };
      const request = { key: graph.graphKey, body, size: body.length, sha256: digest, contentType: 'application/json' };
      const stored = await blobs.put(request);
      if (isLeft(stored) && stored.left.kind === 'fault') return left(stored.left);
      if (isLeft(stored)) throw new Error(`the graph of a run is refused: ${stored.left.code}`);
      memory.set(idOf(graph), content, { size: body.length });
      return right(graph);
    },
    read: async (graph) => {
      const known = memory.get(idOf(graph));
      if (known !== undefined) return right(known);
      const blob = await blobs.get({ key: graph.graphKey });
      if (isLeft(blob))
        return blob.left.kind === 'fault' ? left(blob.left) : unreadable('The content of the job is gone.');
      let json: string;
      try {
        json = await text(blob.right.body);
      } catch {
        return left(fault('blob-store-unavailable', 'The content of the job could not be read to its end.'));
      }
      if (`sha256:${hash('sha256', json, 'hex')}` !== graph.graphDigest)
        return unreadable('The content of the job is not what the run was resolved to.');
      const content = decodeStored(GraphContent, JSON.parse(json));
      if (isLeft(content)) return unreadable('The content of the job has another form.');
      memory.set(idOf(graph), content.right, { size: json.length });
      return content;
    },
  };
};
