/** What a proof is for: the address without query and fragment, as RFC 9449 section 4.3 compares it. */
const addressShape = /^https?:\/\/[^\s\\@?#]+/i;
const printable = /^[\x21-\x7e]{1,8192}$/;
const unreserved = /[A-Za-z0-9._~-]/;

/** RFC 3986 section 6.2.2: `%7e`, `%7E` and `~` are one. */
const plain = (path: string): string =>
  path.replaceAll(/%[0-9a-f]{2}/gi, (escaped) => {
    const letter = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
    return unreserved.test(letter) ? letter : escaped.toUpperCase();
  });

/** Undefined when it is not an address of the web, or names a user. */
const targetOf = (address: string): string | undefined => {
  if (!printable.test(address) || !addressShape.test(address) || address.includes('\\')) return undefined;
  try {
    const { origin, pathname, username, password } = new URL(address);
    return username === '' && password === '' ? `${origin}${plain(pathname)}` : undefined;
  } catch {
    return undefined;
  }
};

/** As a rule clients write it just as it is: only where they do not, both are brought into one form. */
export const isTarget = (written: string, asked: string): boolean => {
  const query = asked.indexOf('?');
  if (written === (query < 0 ? asked : asked.slice(0, query))) return true;
  const target = targetOf(asked);
  return target !== undefined && targetOf(written) === target;
};
