/** Loaded before the worker service: queues whose handlers use the adapters that they are given. */
import { left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { queues } from '../../../commands/composition/processes';
import { type QueueSpec, queueSpec } from '../../../commands/kernel/work-queue/job-handler';
import type { SandboxLimits } from '../../../packages/sandbox/src/ports';

const limits: SandboxLimits = {
  memoryBytes: 268_435_456,
  cpuSeconds: 5,
  wallSeconds: 10,
  processes: 16,
  openFiles: 64,
  diskBytes: 1_048_576,
  outputBytes: 65_536,
};

const sampleQueue = (name: string, isHeavy: boolean): QueueSpec =>
  queueSpec(
    { name, payload: t.unknown },
    {
      concurrency: 1,
      isHeavy,
      targets: {},
      open: ({ blobs, store, vault }) => ({
        perform: async ({ key }) => {
          const [blob, head] = [await blobs.head(`jobs/${key}`), await store.head()];
          const isUnknown = blob._tag === 'Left' && blob.left.code === 'blob-unknown';
          if (isUnknown && head._tag === 'Right' && vault.subjectOf('acme', key) !== '') return right([]);
          return left({ kind: 'permanent', reason: 'An adapter does not answer.' });
        },
      }),
    },
  );

const programs = queueSpec(
  { name: 'programs', payload: t.unknown },
  {
    concurrency: 1,
    runsPrograms: true,
    targets: {},
    open: ({ sandboxes }) => ({
      perform: async () => {
        const sandbox = await sandboxes.prepare({ limits });
        if (sandbox._tag === 'Left') return left({ kind: 'permanent', reason: sandbox.left.detail });
        const program = await sandbox.right.exec({ argv: ['true'] });
        const end = program._tag === 'Right' ? await program.right.ended : undefined;
        await sandbox.right.destroy();
        if (end?.kind === 'exited' && end.code === 0) return right([]);
        return left({ kind: 'permanent', reason: 'It did not run.' });
      },
    }),
  },
);

const added = [sampleQueue('light', false), sampleQueue('heavy', true), programs];
(queues as QueueSpec[]).push(...added);
