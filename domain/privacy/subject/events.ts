/** That a person was forgotten: by whom and when is in the metadata, who it was nobody can tell any more. */
import * as t from 'io-ts';
import { oneOf, text } from '../../kernel/codec';
import { family } from '../../kernel/family';

/** The hash by which the vault knows a subject. */
export const SubjectHash = text('SubjectHash', { minLength: 64, maxLength: 64, pattern: '[0-9a-f]{64}' });

/** Closed words: free text would be where names end up. */
export const ForgetReason = oneOf('ForgetReason', ['asked-for', 'contract-ended', 'court-order', 'retention-ended']);
export type ForgetReason = t.TypeOf<typeof ForgetReason>;

export const subjects = family('privacy', {
  SubjectForgotten: {
    v: 1,
    data: {
      subject: SubjectHash,
      /** The keys that are gone for good: what was sealed with them reads as forgotten. */
      keys: t.readonlyArray(text('KeyId', { maxLength: 64 }), 'KeyIds'),
      reason: ForgetReason,
    },
  },
});
export type SubjectEvent = typeof subjects.Event;
