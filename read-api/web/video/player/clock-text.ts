/** `4:05`, `1:02:03`. */
export const clockText = (seconds: number): string => {
  const whole = Math.max(0, Math.floor(Number.isFinite(seconds) ? seconds : 0));
  const parts = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60, whole % 60];
  const [hours = 0, minutes = 0, rest = 0] = parts;
  const two = (value: number): string => String(value).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
};

/** Of a film: to the nearest second, and not nothing. */
export const lengthText = (milliseconds: number): string => clockText(Math.max(1, Math.round(milliseconds / 1_000)));

/** For screen readers: `1 hour 2 minutes 3 seconds`. */
export const spokenTime = (seconds: number): string => {
  const whole = Math.max(0, Math.floor(Number.isFinite(seconds) ? seconds : 0));
  const parts = [
    [Math.floor(whole / 3_600), 'hour'],
    [Math.floor(whole / 60) % 60, 'minute'],
    [whole % 60, 'second'],
  ] as const;
  const named = parts
    .filter(([value]) => value > 0)
    .map(([value, unit]) => `${value} ${unit}${value === 1 ? '' : 's'}`);
  return named.length === 0 ? '0 seconds' : named.join(' ');
};
