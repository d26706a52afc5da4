/** Metrics of document owners. */
import type { Metrics } from '../../../infra/ports/runtime/metrics';
import type { CloseReason } from './document-handle';

export interface OwnerGauges {
  readonly documents: number;
  readonly nodes: number;
  /** Queued batches of all documents. */
  readonly queued: number;
  /** Documents whose next append is being built or written. */
  readonly committing: number;
  /** Of the document with the most bytes since its newest snapshot. */
  readonly maxUnsnapshottedBytes: number;
  /** Of the document whose snapshot has been due the longest. */
  readonly snapshotDueSeconds: number;
}

export interface OwnerMetrics {
  readonly gauges: (now: OwnerGauges) => void;
  readonly appended: (operations: number, seconds: number) => void;
  readonly closed: (reason: CloseReason) => void;
  readonly loaded: (seconds: number) => void;
  readonly snapshot: (how: 'taken' | 'failed') => void;
}

const latencyBuckets = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const ownerGauges = (metrics: Metrics): OwnerMetrics['gauges'] => {
  const gauge = (name: string, help: string) => metrics.gauge({ name: `editor_${name}`, help });
  const documents = gauge('documents', 'Documents that this process owns.');
  const nodes = gauge('nodes', 'Nodes of all documents that this process owns.');
  const waiting = gauge('waiting_batches', 'Batches in the queue.');
  const underWay = gauge('appends_under_way', 'Documents with an append in progress.');
  const unkept = gauge('unkept_bytes', 'Most bytes of one document since its newest snapshot.');
  const due = gauge('snapshot_due_seconds', 'Longest time that a snapshot has been due.');
  return (now) => {
    documents(now.documents);
    nodes(now.nodes);
    waiting(now.queued);
    underWay(now.committing);
    unkept(now.maxUnsnapshottedBytes);
    due(now.snapshotDueSeconds);
  };
};

export const ownerMetrics = (metrics: Metrics): OwnerMetrics => {
  const gauges = ownerGauges(metrics);
  const operations = metrics.counter({ name: 'editor_operations_total', help: 'Operations committed.' });
  const appends = metrics.histogram({
    name: 'editor_append_seconds',
    help: 'Time from the decision until the log has it.',
    buckets: latencyBuckets,
  });
  const loads = metrics.histogram({
    name: 'editor_load_seconds',
    help: 'Time to open a document.',
    buckets: latencyBuckets,
  });
  const ended = metrics.counter({
    name: 'editor_ended_total',
    help: 'Documents closed, by reason.',
    labels: ['reason'],
  });
  const snapshots = metrics.counter({
    name: 'editor_snapshots_total',
    help: 'Snapshots of documents, by outcome.',
    labels: ['how'],
  });
  return {
    gauges,
    appended: (count, took) => {
      operations({}, count);
      appends(took);
    },
    closed: (reason) => ended({ reason }),
    loaded: (took) => loads(took),
    snapshot: (how) => snapshots({ how }),
  };
};

export const noMetrics: OwnerMetrics = {
  gauges: () => undefined,
  appended: () => undefined,
  closed: () => undefined,
  loaded: () => undefined,
  snapshot: () => undefined,
};
