import { type DeletionEvent, type DeletionStep, deletionSteps, deletions } from '../../../domain/files/deletion/events';
import { patchRow, projection, putRow, streamsOf } from '../../kernel/projection';
import type { RecordedEvent } from '../../kernel/recorded-event';
import { type FileDeletionRow, fileDeletionsView } from './view';

const removedFields = {
  processing: 'endedIngestions',
  index: 'withdrawnChunks',
  objects: 'removedObjects',
  key: 'destroyedKeys',
  proof: 'removedLater',
} as const satisfies { readonly [step in DeletionStep]: keyof FileDeletionRow };

const patch = ({ data, at }: RecordedEvent<DeletionEvent>, fields: Partial<FileDeletionRow>) =>
  patchRow<FileDeletionRow>({ tenantId: at.tenantId, fileId: data.fileId }, { ...fields, revision: at.revision });

export const fileDeletionsProjection = projection(fileDeletionsView, [
  streamsOf(deletions, {
    DeletionBegun: ({ data, at }) =>
      putRow<FileDeletionRow>({
        ...data,
        status: 'DELETING',
        deletedAt: null,
        nextStep: deletionSteps[0],
        attempt: 0,
        failure: null,
        endedIngestions: null,
        withdrawnChunks: null,
        removedObjects: null,
        destroyedKeys: null,
        removedLater: null,
        ...at,
      }),
    DeletionStepCompleted: (recorded) => {
      const { step, removed } = recorded.data;
      const nextStep = deletionSteps[deletionSteps.indexOf(step) + 1] ?? null;
      return patch(recorded, { [removedFields[step]]: removed, nextStep, attempt: 0, failure: null });
    },
    DeletionStepDelayed: (recorded) => {
      const { attempt, reason: failure } = recorded.data;
      return patch(recorded, { attempt, failure });
    },
    FileDeleted: (recorded) => patch(recorded, { status: 'DELETED', deletedAt: recorded.data.deletedAt }),
    RemainsRemoved: (recorded) => patch(recorded, {}),
  }),
]);
