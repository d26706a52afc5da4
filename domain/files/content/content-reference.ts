/** Content in object storage that an event names: never changed, and checked by its SHA-256 when it is read. */
import type * as t from 'io-ts';
import { integer, record, text } from '../../kernel/codec';

export const Sha256 = text('ContentSha256', {
  minLength: 64,
  maxLength: 64,
  pattern: '[0-9a-f]{64}',
  examples: ['0'.repeat(64)],
});

export const ContentReference = record('ContentReference', {
  key: text('ContentKey', { maxLength: 1_024, examples: ['files/main/f1/v1/chunks-0'] }),
  sha256: Sha256,
  size: integer(0),
});
export type ContentReference = t.TypeOf<typeof ContentReference>;
