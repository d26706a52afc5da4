/** `Retry-After` (RFC 9110, section 10.2.3): seconds, or a date. */

const longestSeconds = 86_400;

export const retryAfterSeconds = (headers: Headers): number | undefined => {
  const value = headers.get('retry-after')?.trim();
  if (value === undefined || value === '') return undefined;
  const seconds = /^\d{1,9}$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), longestSeconds);
};
