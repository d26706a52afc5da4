/** The pause that a service wants before a retry (RFC 9110, section 10.2.3); OpenAI has a header in milliseconds, too. */

const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Undefined: it names no time. */
export const retryAfterMilliseconds = (headers: Headers, now: number): number | undefined => {
  const exact = headers.get('retry-after-ms');
  if (exact !== null && /^\d{1,9}$/.test(exact)) return Number(exact);
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  const at = httpDate.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
};
