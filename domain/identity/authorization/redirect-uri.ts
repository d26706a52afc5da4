/** Whether somebody may be sent there: letter for letter what was registered, but for the port on this very machine. */

/** RFC 8252 section 7.3: a program listens wherever the system lets it. Never by name: names can be made to mean others. */
const onThisMachine = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::(\d{1,5}))?((?:[/?].*)?)$/;
const highestPort = 65_535;

const portless = (address: string): string | undefined => {
  const [, host, port = '1', rest = ''] = onThisMachine.exec(address) ?? [];
  if (host === undefined || Number(port) < 1 || Number(port) > highestPort) return undefined;
  return `${host}${rest}`;
};

const fits = (registered: string, given: string): boolean => {
  if (registered === given) return true;
  const [mine, theirs] = [portless(registered), portless(given)];
  return mine !== undefined && mine === theirs;
};

const longest = 2048;
/** An address has no others, and parsers differ about some. */
const written = /^[\x21-\x7e]+$/;

export const isRegistered = (registered: readonly string[], given: string): boolean =>
  given.length <= longest && written.test(given) && registered.some((one) => fits(one, given));

/** Only whoever has the domain answers there; any program can answer on this machine or to a scheme of its own. */
export const isAssured = (redirectUri: string): boolean => redirectUri.startsWith('https://');
