/** Where a group begins: behind its checkpoint, or where it was asked to start. */
import type { Matches } from '../storage/read';
import type { Storage } from '../storage/storage';
import { type Definition, keyOf, targetOf } from './configuration';
import { newestIn } from './newest';
import { checkpointStream, parkedStream } from './notes';
import { pinBy } from './pin-key';
import { placeIn } from './places';
import type { Begin } from './runner';
import { allSource, type Source, streamSource } from './source';

const startOf = ({ settings: { startFrom }, startedAfter }: Definition, source: Source): number => {
  if (startFrom === 'start') return 0;
  if (startFrom !== 'end') return startFrom;
  // A configuration that came from elsewhere does not say where the end was.
  return (startedAfter ?? source.last() ?? -1) + 1;
};

export const beginningOf = (storage: Storage, definition: Definition, matches: Matches): Begin => {
  const key = keyOf(definition);
  const { settings, stream } = definition;
  const pinOf = pinBy(storage, settings);
  const target = targetOf(definition);
  const source =
    target === 'all' ? allSource(storage, matches, pinOf) : streamSource(storage, Buffer.from(stream), pinOf);
  const checkpoint = placeIn(target, newestIn(storage, checkpointStream(key)));
  const next = checkpoint === undefined ? startOf(definition, source) : checkpoint + 1;
  // What is parked are links to what was parked.
  const parkedSource = streamSource(storage, parkedStream(key), pinBy(storage, { ...settings, resolveLinks: true }));
  return { definition, source, parkedSource, checkpoint, next };
};
