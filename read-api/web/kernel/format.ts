/** Formats times and amounts. */
const two = (value: number): string => String(value).padStart(2, '0');

const parsed = (instant: string): Date | undefined => {
  const date = new Date(instant);
  return Number.isNaN(date.getTime()) ? undefined : date;
};

/** In the reader's time zone, with milliseconds, so that rows can be compared. */
export const timeOf = (instant: string): string => {
  const date = parsed(instant);
  if (date === undefined) return instant;
  const clock = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
  return `${clock}.${String(date.getMilliseconds()).padStart(3, '0')}`;
};

export const dayOf = (instant: string): string => {
  const date = parsed(instant);
  if (date === undefined) return '';
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
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
  if (seconds < 60) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  const [unit, size] = units.find(([, length]) => seconds >= length) ?? units[2];
  return `${Math.floor(seconds / size)} ${unit}`;
};

const grouped = new Intl.NumberFormat('en');
export const numberOf = (value: number): string => grouped.format(value);

export const countOf = (value: number, one: string, many = `${one}s`): string =>
  `${numberOf(value)} ${value === 1 ? one : many}`;

const byteUnits = ['B', 'kB', 'MB', 'GB', 'TB'];

/** Decimal units, as file managers and stores show them. */
export const bytesOf = (bytes: number): string => {
  const power = bytes < 1_000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), byteUnits.length - 1);
  const value = bytes / 1_000 ** power;
  return `${value < 10 && power > 0 ? value.toFixed(1) : Math.round(value)} ${byteUnits[power]}`;
};
