/** The subject of a certificate (RFC 4514), read so that two ways to write one name are one. */
import { X509Certificate } from 'node:crypto';

/** Parts between marks that are not escaped. */
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

/** `\2C` and `\,` are one; bytes together are UTF-8. */
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

/** Undefined when it is no distinguished name. */
const normalizedName = (written: string): string | undefined => {
  const parts = split(written, ',').map(normalizeRdn);
  return parts.includes(undefined) ? undefined : JSON.stringify(parts);
};

/** Node writes a line for each part, first things first; RFC 4514 begins with the last. */
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

/** TLS does not ask this of a certificate that it cannot follow to an authority. */
export const isValidAt = (der: string, milliseconds: number): boolean => {
  try {
    const { validFrom, validTo } = new X509Certificate(Buffer.from(der, 'base64'));
    return Date.parse(validFrom) <= milliseconds && milliseconds < Date.parse(validTo);
  } catch {
    return false;
  }
};
