const padded = (value: number, length = 2): string => String(value).padStart(length, '0');

/** W3C WebVTT, section 3.3: hours of two digits or more. */
export const vttTime = (milliseconds: number): string => {
  const [hours, minutes] = [Math.floor(milliseconds / 3_600_000), Math.floor(milliseconds / 60_000) % 60];
  const [seconds, rest] = [Math.floor(milliseconds / 1_000) % 60, milliseconds % 1_000];
  return `${padded(hours)}:${padded(minutes)}:${padded(seconds)}.${padded(rest, 3)}`;
};
