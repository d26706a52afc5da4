/** A filter of several ids: for the names of many at once, and for lists of what belongs to any of them. */
import { text } from '../../domain/kernel/codec';

export const IdList = text('IdList', {
  maxLength: 8_000,
  pattern: '[^,]{1,128}(,[^,]{1,128}){0,99}',
  description: 'At most 100 ids, separated by commas.',
});

/** Undefined: the filter was left out. */
export const idsIn = (list: string | undefined): readonly string[] | undefined => list?.split(',');
