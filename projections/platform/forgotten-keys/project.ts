import { subjects } from '../../../domain/privacy/subject/events';
import { projection, streamsOf } from '../../kernel/projection';
import { type ForgottenKeyRow, forgottenKeysView } from './view';

export const forgottenKeysProjection = projection(forgottenKeysView, [
  streamsOf(subjects, {
    SubjectForgotten: ({ data, at }) =>
      data.keys.map((keyId) => ({ kind: 'put' as const, row: { keyId, ...at } satisfies ForgottenKeyRow })),
  }),
]);
