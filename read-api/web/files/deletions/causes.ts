/** Why a file was deleted, in words. */
import type { FileDeletion } from '../../../../packages/client/src/schemas';

const causes: { readonly [cause in NonNullable<FileDeletion['cause']>]: string } = {
  person: 'By its owner',
  retention: 'After its days in the trash',
  abandoned: 'It was never uploaded',
};

/** Null until a worker has begun. */
export const causeText = (cause: FileDeletion['cause']): string => (cause === null ? '—' : causes[cause]);
