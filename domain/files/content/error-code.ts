/** Why a file cannot be used: what `error_code` holds. Each has a sentence for the people who wait for the file. */
import type * as t from 'io-ts';
import { oneOf } from '../../kernel/codec';

export const FileErrorCode = oneOf('FileErrorCode', [
  'UNSUPPORTED_TYPE',
  'TYPE_MISMATCH',
  'ENCRYPTED',
  'CORRUPT',
  'CHECKSUM_MISMATCH',
  'TOO_LARGE',
  'TOO_MANY_PAGES',
  'ARCHIVE_BOMB',
  'MALWARE',
  'EXTRACT_TIMEOUT',
  'EXTRACT_CRASH',
  'INTERNAL',
]);
export type FileErrorCode = t.TypeOf<typeof FileErrorCode>;
