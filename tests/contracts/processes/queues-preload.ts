/** Loaded before the worker service: two queues, whose handlers use the adapters that they are given. */
import { left, right } from 'fp-ts/Either';
import { queues } from '../../../commands/composition/processes';
import type { QueueSpec } from '../../../commands/kernel/work-queue/job-handler';

const sampleQueue = (queue: string, isHeavy: boolean): QueueSpec => ({
  queue,
  concurrency: 1,
  isHeavy,
  targets: {},
  open: ({ blobs, store, vault }) => ({
    perform: async ({ key }) => {
      const [blob, head] = [await blobs.head(`jobs/${key}`), await store.head()];
      const isUnknown = blob._tag === 'Left' && blob.left.code === 'blob-unknown';
      if (isUnknown && head._tag === 'Right' && vault.subjectOf('acme', key) !== '') return right([]);
      return left({ kind: 'never', reason: 'An adapter does not answer.' });
    },
  }),
});

(queues as QueueSpec[]).push(sampleQueue('light', false), sampleQueue('heavy', true));
