/** Names of this context's streams. */
import { contextStreams } from '../kernel/context-streams';
import type { EntityId, ImportId } from './ids';

export const streams = contextStreams('geo', ['place', 'source', 'import']);

export const placeStream = streams.of<EntityId>('place');

/** By the source's name, which may have dots. */
export const sourceStream = streams.of<string>('source');

export const importStream = streams.of<ImportId>('import');
