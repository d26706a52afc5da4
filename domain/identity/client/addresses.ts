/** Where browsers may be sent back to: exact addresses that only the application can answer (RFC 6749, RFC 8252, RFC 9700). */

const written = /^[\x21-\x7e]+$/;
/** Of the letters that an address can be written with, those that parsers differ about, and those that stand for others. */
const doubtful = /[\\*"<>^`{|}]/;
/** RFC 8252 section 7.1: a scheme of one's own is a domain name backwards, so it has a dot. */
const privateScheme = /^[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+:$/;
const loopback = new Set(['127.0.0.1', '[::1]', 'localhost']);

const parsed = (address: string): URL | undefined => {
  try {
    return new URL(address);
  } catch {
    return undefined;
  }
};

const isLoopback = ({ protocol, hostname }: URL): boolean => protocol === 'http:' && loopback.has(hostname);

/** What is wrong with it, as the end of a sentence; undefined when nothing is. */
export const redirectFault = (address: string, confidential: boolean): string | undefined => {
  if (!written.test(address) || doubtful.test(address)) return 'has letters that no address of this kind needs';
  const url = parsed(address);
  if (url === undefined) return 'is no absolute address';
  if (address.includes('#')) return 'has a fragment';
  if (url.username !== '' || url.password !== '' || /^[a-z.+-]+:\/\/[^/?]*@/i.test(address)) return 'names a user';
  if (url.protocol === 'https:' || isLoopback(url))
    return url.href === address || url.href === `${address}/` ? undefined : 'is not written in its plain form';
  if (url.protocol === 'http:') return 'is neither https nor on this machine';
  if (!privateScheme.test(url.protocol)) return 'has a scheme that is not https';
  return confidential ? 'has a scheme of its own, which only public clients may have' : undefined;
};

/** For keys that are fetched: by whom is not known to the one who asks, so all else is left to who fetches. */
export const isHttps = (address: string): boolean => {
  const url = written.test(address) ? parsed(address) : undefined;
  return url?.protocol === 'https:' && url.username === '' && url.password === '' && url.hash === '';
};
