/** Formats times and amounts. */
const two = (value: number): string => String(value).padStart(2, '0');

const secondsOf = (date: Date): string => `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;

const parsed = (instant: string): Date | undefined => {
  const date = new Date(instant);
  return Number.isNaN(date.getTime()) ? undefined : date;
};

/** Time of day in the reader's time zone, with milliseconds, so that rows can be compared. */
export const clockTimeOf = (instant: string): string => {
  const date = parsed(instant);
  return date === undefined ? instant : `${secondsOf(date)}.${String(date.getMilliseconds()).padStart(3, '0')}`;
};

const dayOf = (date: Date): string => `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;

const zoneNames = new Intl.DateTimeFormat('en', { timeZoneName: 'short' });
const zoneOf = (date: Date): string =>
  zoneNames.formatToParts(date).find(({ type }) => type === 'timeZoneName')?.value ?? '';

/** `2026-11-24 13:50:11 GMT+1`: in the reader's time zone, which may differ by season. */
export const exactTimeOf = (instant: string, { hasMilliseconds = false } = {}): string => {
  const date = parsed(instant);
  if (date === undefined) return instant;
  return `${dayOf(date)} ${hasMilliseconds ? clockTimeOf(instant) : secondsOf(date)} ${zoneOf(date)}`;
};

const relative = new Intl.RelativeTimeFormat('en');
const relativeUnits = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

const presentSeconds = 45;
/** A time that is less far ahead may be past: clocks of servers differ. */
const clockSeconds = 5;
const maxRelativeDays = 30;

/** Half of the next smaller unit. */
const precisionOf = (length: number): number => (relativeUnits.find(([, smaller]) => smaller < length)?.[1] ?? 1) / 2;

/** `3 minutes ago`, `in 2 days`; the date where that is more than a month away. */
export const relativeTimeOf = (instant: string, now: number): string => {
  const date = parsed(instant);
  if (date === undefined) return instant;
  const seconds = (date.getTime() - now) / 1_000;
  const distance = Math.abs(seconds);
  if (distance < presentSeconds) return seconds > clockSeconds ? 'in a moment' : 'just now';
  if (distance > maxRelativeDays * 86_400) return dayOf(date);
  // To the nearest: a week that has just begun is 7 days, and 59.8 minutes are an hour.
  const [unit, size] = relativeUnits.find(([, length]) => distance >= length - precisionOf(length)) ?? relativeUnits[2];
  const amount = Math.max(1, Math.round(distance / size));
  return relative.format(seconds < 0 ? -amount : amount, unit);
};

const units = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
] as const;

export const durationOf = (seconds: number): string => {
  if (!Number.isFinite(seconds) || seconds < 0) return '—';
  if (seconds < 0.001) return '0 s';
  if (seconds < 1) return `${Math.round(seconds * 1_000)} ms`;
  if (seconds < 60) return `${seconds < 10 ? Number(seconds.toFixed(1)) : Math.round(seconds)} s`;
  const [unit, size] = units.find(([, length]) => seconds >= length) ?? units[2];
  return `${Math.floor(seconds / size)} ${unit}`;
};

/** `1 h 2 min`, `3 min 12 s`, `8 s`, `< 1 s`: whole seconds, two units at most. */
export const elapsedOf = (milliseconds: number): string => {
  if (milliseconds < 1_000) return '< 1 s';
  const seconds = Math.round(milliseconds / 1_000);
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60)];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
};

const grouped = new Intl.NumberFormat('en');
export const numberOf = (value: number): string => grouped.format(value);

/** `2.5/s`; three digits are enough. */
export const rateOf = (perSecond: number): string => `${numberOf(Number(perSecond.toPrecision(3)))}/s`;

export const perMinuteOf = (perSecond: number): string => `${numberOf(Math.round(perSecond * 60 * 10) / 10)}/min`;

export const percentOf = (share: number): string => `${Math.round(share * 100)} %`;

export const countOf = (value: number, one: string, many = `${one}s`): string =>
  `${numberOf(value)} ${value === 1 ? one : many}`;

const byteUnits = ['B', 'kB', 'MB', 'GB', 'TB'];

/** Decimal units, as file managers and stores show them. */
export const bytesOf = (bytes: number): string => {
  const power = bytes < 1_000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), byteUnits.length - 1);
  const value = bytes / 1_000 ** power;
  return `${value < 10 && power > 0 ? value.toFixed(1) : Math.round(value)} ${byteUnits[power]}`;
};
