/** Selects places that are open at a moment. Zones are grouped by what their clocks show, which is one filter for each of some forty groups. */
import { LRUCache } from 'lru-cache';
import { dateOf, type LocalTime, minutesPerDay, weekdayOf } from '../../../domain/geo/hours/open-at';
import type { Filter } from '../../../infra/ports/views/index-query';
import type { PlaceIndexRow } from '../../../projections/geo/place-index/view';

const millisecondsPerDay = 86_400_000;

const clocks = new Map<string, Intl.DateTimeFormat>();

const clockOf = (timeZone: string): Intl.DateTimeFormat => {
  const known = clocks.get(timeZone);
  if (known !== undefined) return known;
  const clock = new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  clocks.set(timeZone, clock);
  return clock;
};

/** By the time zone data of the runtime, daylight saving included. Throws for a zone that the runtime does not know. */
export const localTimeIn = (timeZone: string, at: number): LocalTime => {
  const parts = Object.fromEntries(
    clockOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const { year, month, day, hour, minute } = parts;
  const midnight = Date.parse(`${year}-${month}-${day}T00:00:00Z`);
  return { epochDay: midnight / millisecondsPerDay, minute: Number(hour) * 60 + Number(minute) };
};

/** The runtime's names. Feeds may use others for the same zones. */
const usualZones: ReadonlySet<string> = new Set(['UTC', ...Intl.supportedValuesOf('timeZone')]);

interface ZoneGroup {
  readonly zones: readonly string[];
  readonly local: LocalTime;
}

/** Undefined: recorded by a service that knows newer zones than this one. */
const knownLocalTime = (zone: string, at: number): LocalTime | undefined => {
  try {
    return localTimeIn(zone, at);
  } catch {
    return undefined;
  }
};

const groupsAt = (zones: Iterable<string>, at: number): readonly ZoneGroup[] => {
  const groups = new Map<string, { zones: string[]; local: LocalTime }>();
  for (const zone of zones) {
    const local = knownLocalTime(zone, at);
    if (local === undefined) continue;
    const key = `${local.epochDay} ${local.minute}`;
    const group = groups.get(key) ?? { zones: [], local };
    group.zones.push(zone);
    groups.set(key, group);
  }
  return [...groups.values()];
};

type PlaceFilter = Filter<PlaceIndexRow>;

const without = (field: 'exceptionDates', date: string): PlaceFilter => ({
  kind: 'none',
  of: [{ kind: 'equals', field, value: date }],
});

/** As `isOpenAt` decides it, in the words of the index. */
const openAt = ({ epochDay, minute }: LocalTime): PlaceFilter => {
  const ofWeek = (weekdayOf(epochDay) - 1) * minutesPerDay + minute;
  return {
    kind: 'any',
    of: [
      { kind: 'equals', field: 'openByException', value: epochDay * minutesPerDay + minute },
      {
        kind: 'all',
        of: [{ kind: 'equals', field: 'openOnDay', value: ofWeek }, without('exceptionDates', dateOf(epochDay))],
      },
      {
        kind: 'all',
        of: [
          { kind: 'equals', field: 'openFromEvening', value: ofWeek },
          without('exceptionDates', dateOf(epochDay - 1)),
        ],
      },
    ],
  };
};

const filterAt = (zones: readonly string[], at: number): PlaceFilter => {
  const groups = groupsAt([...usualZones, ...zones], at).map(
    (group): PlaceFilter => ({
      kind: 'all',
      of: [{ kind: 'equals', field: 'timeZone', value: group.zones }, openAt(group.local)],
    }),
  );
  return {
    kind: 'all',
    of: [
      { kind: 'equals', field: 'status', value: 'active' },
      { kind: 'any', of: groups },
    ],
  };
};

const millisecondsPerMinute = 60_000;

/** More than the minutes that a cursor lasts: pages use the minute of the first one. */
const maxFilters = 64;

/** Clocks show the same for a minute; computing all of them takes longer than a short search. */
const filters = new LRUCache<string, PlaceFilter>({ max: maxFilters });

/** Places that closed, for now or for good, are not open whatever their hours. `zones` are names that the index has, usual ones among them. */
export const openNowFilter = (zones: readonly string[], at: number): PlaceFilter => {
  const others = [...new Set(zones)].filter((zone) => !usualZones.has(zone)).toSorted();
  const key = JSON.stringify([Math.floor(at / millisecondsPerMinute), others]);
  const known = filters.get(key);
  if (known !== undefined) return known;
  const filter = filterAt(others, at);
  filters.set(key, filter);
  return filter;
};
