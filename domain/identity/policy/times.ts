/** Windows of time by the clock of a zone: what a person there reads on the wall, also on days that have 23 or 25 hours. */
import type { TimeWindow } from './document';

const weekdays = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

interface WallClock {
  /** 0 is Sunday. */
  readonly weekday: number;
  readonly minutes: number;
}

/** Names of the IANA data base. Offsets are none: they do not follow daylight saving. */
export const isTimeZone = (zone: string): boolean => {
  if (!/^[A-Za-z]/.test(zone)) return false;
  try {
    new Intl.DateTimeFormat('en-GB', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
};

const minuteMilliseconds = 60_000;
const shortDays: ReadonlyMap<string, number> = new Map(
  ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'].map((day, index) => [day, index]),
);

/** Formatting takes longer than all else of a decision, so the current minute is remembered. */
const createWallClock = (zone: string): ((at: number) => WallClock) => {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  let known: { readonly minute: number; readonly read: WallClock } | undefined;
  return (at) => {
    const minute = Math.floor(at / minuteMilliseconds);
    if (known?.minute === minute) return known.read;
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
    const weekday = shortDays.get(parts.get('weekday') ?? '') ?? 0;
    const read = { weekday, minutes: Number(parts.get('hour')) * 60 + Number(parts.get('minute')) };
    known = { minute, read };
    return read;
  };
};

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** Whether the moment, in milliseconds since 1970, is in the window. */
export const compileWindow = ({ zone, weekdays: days, from, until }: TimeWindow): ((at: number) => boolean) => {
  const wallClock = createWallClock(zone);
  const begin = from === undefined ? 0 : minutesOf(from);
  const end = until === undefined ? 24 * 60 : minutesOf(until);
  const isDay = (weekday: number): boolean =>
    days === undefined || (days as readonly string[]).includes(weekdays[(weekday + 7) % 7] as string);
  return (at) => {
    const { weekday, minutes } = wallClock(at);
    if (begin < end) return minutes >= begin && minutes < end && isDay(weekday);
    if (minutes >= begin) return isDay(weekday);
    return minutes < end && isDay(weekday - 1);
  };
};
