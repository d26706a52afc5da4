/** Matches events by prefixes of stream and type. System events never match. */
import type { EventFilter } from '../../ports/event-store';

const system = '$';

/** The prefix that matches everything. It is never sent, because servers differ on an empty prefix. */
export const matchesEverything = (prefixes: readonly string[] | undefined): boolean => prefixes?.includes('') ?? true;

const startsWithOne = (name: string, prefixes: readonly string[] | undefined): boolean =>
  prefixes === undefined || prefixes.some((prefix) => name.startsWith(prefix));

const isSystemEvent = (event: { readonly stream: string; readonly type: string }): boolean =>
  event.stream.startsWith(system) || event.type.startsWith(system);

export const matchesFilter = (
  event: { readonly stream: string; readonly type: string },
  filter: EventFilter | undefined,
): boolean =>
  !isSystemEvent(event) && startsWithOne(event.stream, filter?.streams) && startsWithOne(event.type, filter?.types);
