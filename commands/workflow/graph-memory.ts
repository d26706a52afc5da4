/** Graphs of runs in memory, in front of object storage: the copy of the service that stored a graph mostly assigns its jobs, too. */
import { Readable } from 'node:stream';
import { isRight, right } from 'fp-ts/Either';
import type { BlobInfo, BlobStore } from '../../infra/ports/blob-store';

interface Graph {
  readonly info: BlobInfo;
  readonly body: Uint8Array;
}

const isGraph = (key: string): boolean => /^workflow\/[^/]+\/graphs\//.test(key);

const defaultBytes = 16 * 2 ** 20;

/** The oldest are forgotten beyond so many bytes. Their keys have their digests, so what is kept is what is stored. */
export const rememberGraphs = (blobs: BlobStore, mostBytes = defaultBytes): BlobStore => {
  const cached = new Map<string, Graph>();
  let bytes = 0;
  const forget = (key: string): void => {
    bytes -= cached.get(key)?.body.length ?? 0;
    cached.delete(key);
  };
  const keep = (key: string, graph: Graph): void => {
    forget(key);
    cached.set(key, graph);
    bytes += graph.body.length;
    for (const oldest of cached.keys()) {
      if (bytes <= mostBytes) break;
      forget(oldest);
    }
  };
  return {
    ...blobs,
    put: async (request) => {
      const stored = await blobs.put(request);
      const { key, body } = request;
      if (isRight(stored) && isGraph(key) && body instanceof Uint8Array) keep(key, { info: stored.right, body });
      return stored;
    },
    get: async (request) => {
      const graph = cached.get(request.key);
      if (graph === undefined || request.range !== undefined || request.etag !== undefined) return blobs.get(request);
      const { info, body } = graph;
      return right({ info, first: 0, length: body.length, body: Readable.from([body]) });
    },
    remove: (key) => {
      forget(key);
      return blobs.remove(key);
    },
    removeMany: (keys) => {
      keys.forEach(forget);
      return blobs.removeMany(keys);
    },
  };
};
