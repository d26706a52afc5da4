/** Erasure of a subject. Metadata has actor and time; the subject is not identifiable any more. */
import * as t from 'io-ts';
import { oneOf, text } from '../../kernel/codec';
import { aggregate } from '../../kernel/family';

/** Hash of the subject in the vault. */
export const SubjectHash = text('SubjectHash', {
  examples: ['2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae'],
  minLength: 64,
  maxLength: 64,
  pattern: '[0-9a-f]{64}',
});

/** An enumeration: free text would contain names. */
export const ForgetReason = oneOf('ForgetReason', ['asked-for', 'contract-ended', 'court-order', 'retention-ended']);
export type ForgetReason = t.TypeOf<typeof ForgetReason>;

export const subjects = aggregate(
  { context: 'privacy', name: 'subject' },
  {
    SubjectForgotten: {
      v: 1,
      data: {
        subject: SubjectHash,
        /** Erased keys; their fields read as erased. */
        keys: t.readonlyArray(
          text('KeyId', { examples: ['NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs'], maxLength: 64 }),
          'KeyIds',
        ),
        reason: ForgetReason,
      },
    },
  },
);
export type SubjectEvent = typeof subjects.Event;

export const { stream: subjectStream } = subjects;
