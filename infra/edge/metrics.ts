/** Metrics of the edge: what it had, what it fetched, and what it holds. */
import type { Metrics } from '../ports/runtime/metrics';
import type { FillEnd } from './cache/fill';
import type { CacheUse } from './cache/object-cache';
import type { OriginRefusal } from './cache/origin';

export const createEdgeMetrics = (metrics: Metrics) => {
  const requests = metrics.counter({
    name: 'edge_requests_total',
    help: 'Requests for objects: hit, miss, joined (to a fill under way), through (not stored), or why they were refused.',
    labels: ['outcome'],
  });
  const sent = metrics.counter({
    name: 'edge_sent_bytes_total',
    help: 'Bytes of objects in answers that were sent to their end.',
  });
  const received = metrics.counter({ name: 'edge_origin_bytes_total', help: 'Bytes received to fill the cache.' });
  const fills = metrics.counter({ name: 'edge_fills_total', help: 'Fills by how they ended.', labels: ['end'] });
  const faults = metrics.counter({
    name: 'edge_origin_refusals_total',
    help: 'What object storage did not answer: unknown, away or damaged.',
    labels: ['refusal'],
  });
  const evictions = metrics.counter({ name: 'edge_evictions_total', help: 'Objects removed to make room.' });
  const purges = metrics.counter({ name: 'edge_purged_objects_total', help: 'Objects removed by purges.' });
  const objects = metrics.gauge({ name: 'edge_cached_objects', help: 'Objects on disk.' });
  const bytes = metrics.gauge({ name: 'edge_cached_bytes', help: 'Bytes on disk, with room reserved for fills.' });
  return {
    requested: (outcome: CacheUse | OriginRefusal | 'refused') => requests({ outcome }),
    sent: (count: number) => sent({}, count),
    arrived: (count: number) => received({}, count),
    filled: (end: FillEnd) => fills({ end }),
    originRefused: (refusal: OriginRefusal) => faults({ refusal }),
    evicted: () => evictions(),
    purged: (count: number) => purges({}, count),
    holds: (held: { readonly objects: number; readonly bytes: number }) => {
      objects(held.objects);
      bytes(held.bytes);
    },
  };
};
export type EdgeMetrics = ReturnType<typeof createEdgeMetrics>;
