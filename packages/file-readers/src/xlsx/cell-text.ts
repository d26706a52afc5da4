/** Numbers of cells as text: dates and shares as they are shown, others as Excel shows them without a format. */

/** What a number format makes of a number. */
export type NumberKind =
  | { readonly kind: 'number' }
  | { readonly kind: 'share'; readonly decimals: number }
  | { readonly kind: 'date' | 'time' | 'date-time' }
  /** Hours above 24, or minutes above 60, or seconds: `[h]:mm`. */
  | { readonly kind: 'duration' };

const general: NumberKind = { kind: 'number' };

/** Formats that files name by number alone (18.8.30); 27 to 36 and 50 to 58 are dates in East Asia. */
const builtIn = (id: number): NumberKind => {
  if (id === 9) return { kind: 'share', decimals: 0 };
  if (id === 10) return { kind: 'share', decimals: 2 };
  if (id >= 14 && id <= 17) return { kind: 'date' };
  if ((id >= 18 && id <= 21) || id === 45 || id === 47) return { kind: 'time' };
  if (id === 22) return { kind: 'date-time' };
  if (id === 46) return { kind: 'duration' };
  return (id >= 27 && id <= 31) || id === 36 || (id >= 50 && id <= 58) ? { kind: 'date' } : general;
};

/** Texts in quotes and behind backslashes, colours, conditions and currencies are no letters of a date. */
const literals = /"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi;

export const numberKind = (id: number, code: string | undefined): NumberKind => {
  if (code === undefined) return builtIn(id);
  const [positive = ''] = code.replace(literals, '').split(';');
  if (/\[(?:h+|m+|s+)\]/i.test(positive)) return { kind: 'duration' };
  const hasTime = /h|s/i.test(positive) && !/general/i.test(positive);
  // Beside hours or seconds, an `m` is minutes.
  const hasDate = /[dy]/i.test(positive) || (/m/i.test(positive) && !hasTime);
  if (hasDate) return { kind: hasTime ? 'date-time' : 'date' };
  if (hasTime) return { kind: 'time' };
  const [, decimals] = /(?:\.(0+)[^%]*)?%/.exec(positive) ?? [undefined, undefined];
  return positive.includes('%') ? { kind: 'share', decimals: decimals?.length ?? 0 } : general;
};

const dayMilliseconds = 86_400_000;
/** Day 0 of serial numbers from 1 March 1900 on: they count a 29 February 1900 that never was. */
const epoch1900 = Date.UTC(1899, 11, 30);
const epoch1904 = Date.UTC(1904, 0, 1);
/** The last day that Excel shows: 31 December 9999. */
const maxSerial = 2_958_466;

const pad = (number: number): string => String(number).padStart(2, '0');

const instantOf = (serial: number, startsIn1904: boolean): Date => {
  const shifted = !startsIn1904 && serial < 60 ? serial + 1 : serial;
  // Rounded to seconds: a time of day is a fraction that binary numbers miss.
  const seconds = Math.round((shifted * dayMilliseconds) / 1_000);
  return new Date((startsIn1904 ? epoch1904 : epoch1900) + seconds * 1_000);
};

const timeOf = (instant: Date): string => {
  const [hours, minutes, seconds] = [instant.getUTCHours(), instant.getUTCMinutes(), instant.getUTCSeconds()];
  return seconds === 0 ? `${pad(hours)}:${pad(minutes)}` : `${pad(hours)}:${pad(minutes)}:${pad(seconds)}`;
};

const dateText = (serial: number, kind: 'date' | 'time' | 'date-time', startsIn1904: boolean): string => {
  if (serial < 0 || serial >= maxSerial) return numberText(serial);
  const instant = instantOf(serial, startsIn1904);
  if (kind === 'time') return timeOf(instant);
  const isPhantom = !startsIn1904 && Math.floor(serial) === 60;
  const date = isPhantom ? '1900-02-29' : instant.toISOString().slice(0, 10);
  const time = timeOf(instant);
  return kind === 'date' || (time === '00:00' && serial % 1 === 0) ? date : `${date} ${time}`;
};

const durationText = (days: number): string => {
  const seconds = Math.round(Math.abs(days) * 86_400);
  const rest = `${pad(Math.floor((seconds % 3_600) / 60))}:${pad(seconds % 60)}`;
  return `${days < 0 ? '-' : ''}${Math.floor(seconds / 3_600)}:${rest}`;
};

/** Fifteen digits, as Excel keeps: 0.1 + 0.2 is 0.3. */
const numberText = (number: number): string => String(Number(number.toPrecision(15)));

/** `stored`: the number as the file writes it. What is none is returned as it is. */
export const cellNumberText = (stored: string, kind: NumberKind, startsIn1904: boolean): string => {
  const number = Number(stored);
  if (stored.trim() === '' || !Number.isFinite(number)) return stored;
  switch (kind.kind) {
    case 'number':
      return numberText(number);
    case 'share':
      return `${numberText(Number((number * 100).toFixed(Math.max(kind.decimals, 2))))}%`;
    case 'duration':
      return durationText(number);
    case 'date':
    case 'time':
    case 'date-time':
      return dateText(number, kind.kind, startsIn1904);
  }
};
