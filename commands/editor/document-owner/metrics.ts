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
  const waiting = gauge('waiting_batches', 'Batches that wait to be put in order.');
  const underWay = gauge('appends_under_way', 'Documents whose next append is under way.');
  const unkept = gauge('unkept_bytes', 'What has come since its newest snapshot, of the document with the most.');
  const due = gauge('snapshot_due_seconds', 'For how long a snapshot is due, of the document that waits the longest.');
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
    help: 'From the decision what is next to its being in the log.',
    buckets: latencyBuckets,
  });
  const loads = metrics.histogram({
    name: 'editor_load_seconds',
    help: 'Opening a document that this process did not hold.',
    buckets: latencyBuckets,
  });
  const ended = metrics.counter({
    name: 'editor_ended_total',
    help: 'Documents let go, by reason.',
    labels: ['reason'],
  });
  const snapshots = metrics.counter({
    name: 'editor_snapshots_total',
    help: 'Snapshots of documents, by how it went.',
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
