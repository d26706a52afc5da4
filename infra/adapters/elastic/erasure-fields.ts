/** Fields that documents of a personal view have beside those of the row. Readers do not see them. */
import type { WhenErased } from '../../ports/views/erasure';
import { subjectKeysOf } from '../views/erase-rows';

export const erasureMappings = {
  /** What fields become when keys are erased. */
  whenErased: { type: 'object', enabled: false },
  /** Ids of the keys that the document depends on. */
  subjectKeys: { type: 'keyword' },
} as const;

export const erasureFields: readonly string[] = Object.keys(erasureMappings);

export const withErasure = (fields: object, whenErased: WhenErased | undefined): object =>
  whenErased === undefined ? fields : { ...fields, whenErased, subjectKeys: subjectKeysOf(whenErased) };
