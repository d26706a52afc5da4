/** Ids of this context. */
import type { TypeOf } from 'io-ts';
import { brandedText } from '../kernel/codec';

/** Hash of a rule and one combination of its dimensions' values, which may be any text. */
export const QuotaId = brandedText('QuotaId', {
  minLength: 27,
  maxLength: 27,
  pattern: '[A-Za-z0-9_-]{27}',
  examples: ['mWf1k0m1v3a8Qm8h6jv0r2T5x9c'],
});
export type QuotaId = TypeOf<typeof QuotaId>;
