/** Ids of the geo context. */
import type { TypeOf } from 'io-ts';
import { idOf } from '../kernel/ids';

/** A place's id, as its source names it. Unique within a tenant. */
export const EntityId = idOf('EntityId');
export type EntityId = TypeOf<typeof EntityId>;

/** One file of places, from its upload to its report. */
export const ImportId = idOf('ImportId');
export type ImportId = TypeOf<typeof ImportId>;
