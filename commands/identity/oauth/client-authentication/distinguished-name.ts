/** Compares certificate subjects (RFC 4514) in normalised form. */
import { X509Certificate } from 'node:crypto';

/** Splits at unescaped separators. */
const split = (text: string, mark: string): readonly string[] => {
  const parts: string[] = [];
  let part = '';
  for (let at = 0; at < text.length; at += 1) {
    const letter = text.charAt(at);
    if (letter === '\\') {
      part += text.slice(at, at + 2);
      at += 1;
    } else if (letter === mark) {
      parts.push(part);
      part = '';
    } else part += letter;
  }
  return [...parts, part];
};

/** Decodes `\2C` and `\,` alike; bytes form UTF-8. */
const unescaped = (value: string): string =>
  value.replaceAll(/((?:\\[0-9a-f]{2})+)|\\(.)/gis, (_, run: string | undefined, letter: string) =>
    run === undefined ? letter : Buffer.from(run.replaceAll('\\', ''), 'hex').toString('utf8'),
  );

const normalizeAttribute = (written: string): string | undefined => {
  const equals = written.indexOf('=');
  const type = written.slice(0, Math.max(equals, 0)).trim().toUpperCase();
  if (!/^(?:[A-Z][A-Z0-9-]*|\d+(?:\.\d+)+)$/.test(type)) return undefined;
  return JSON.stringify([type, unescaped(written.slice(equals + 1).trim())]);
};

const normalizeRdn = (written: string): string | undefined => {
  const attributes = split(written, '+').map(normalizeAttribute);
  return attributes.includes(undefined) ? undefined : attributes.sort().join();
};

/** Undefined: not a distinguished name. */
const normalizedName = (written: string): string | undefined => {
  const parts = split(written, ',').map(normalizeRdn);
  return parts.includes(undefined) ? undefined : JSON.stringify(parts);
};

/** Node prints one line per RDN, most significant first; RFC 4514 has the reverse order. */
const subjectOf = (der: string): string | undefined => {
  try {
    const { subject } = new X509Certificate(Buffer.from(der, 'base64'));
    return normalizedName(subject.split('\n').reverse().join(','));
  } catch {
    return undefined;
  }
};

export const matchesDistinguishedName = (der: string, registered: string): boolean => {
  const subject = subjectOf(der);
  return subject !== undefined && subject === normalizedName(registered);
};

/** TLS does not check validity of self-signed certificates. */
export const isValidAt = (der: string, milliseconds: number): boolean => {
  try {
    const { validFrom, validTo } = new X509Certificate(Buffer.from(der, 'base64'));
    return Date.parse(validFrom) <= milliseconds && milliseconds < Date.parse(validTo);
  } catch {
    return false;
  }
};
