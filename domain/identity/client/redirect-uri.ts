/** Redirect URI rules: at registration (RFC 6749, RFC 8252, RFC 9700), and exact matching at request, except loopback ports. */
import { textFault } from '../../kernel/readable-text';

/** Native apps listen on any port of this machine (RFC 8252 section 7.3), also under its name (RFC 9700 section 2.1). */
const loopbackAddress = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::(\d{1,5}))?((?:[/?].*)?)$/;
const maxPort = 65_535;

const withoutLoopbackPort = (address: string): string | undefined => {
  const [, host, port = '1', rest = ''] = loopbackAddress.exec(address) ?? [];
  if (host === undefined || Number(port) < 1 || Number(port) > maxPort) return undefined;
  return `${host}${rest}`;
};

const matchesRegistered = (registered: string, requested: string): boolean => {
  if (registered === requested) return true;
  const [mine, theirs] = [withoutLoopbackPort(registered), withoutLoopbackPort(requested)];
  return mine !== undefined && mine === theirs;
};

const maxUriLength = 2048;
/** Other characters are invalid in URIs, and parsers differ about them. */
const visibleAscii = /^[\x21-\x7e]+$/;

/** For redirect URIs and post-logout redirect URIs. */
export const isRegisteredRedirect = (registered: readonly string[], requested: string): boolean =>
  requested.length <= maxUriLength &&
  visibleAscii.test(requested) &&
  registered.some((one) => matchesRegistered(one, requested));

/** Only the owner of a domain receives https redirects; any local program can receive loopback or private schemes. */
export const isInterceptionSafe = (redirectUri: string): boolean => redirectUri.startsWith('https://');

/** Characters that parsers treat differently, and wildcards. */
const ambiguousCharacters = /[\\*"<>^`{|}]/;
/** RFC 8252 section 7.1: a private scheme is a reversed domain name, so it has a dot. */
const privateScheme = /^[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+:$/;
const loopbackHosts = new Set(['127.0.0.1', '[::1]', 'localhost']);

const parseUrl = (address: string): URL | undefined => {
  try {
    return new URL(address);
  } catch {
    return undefined;
  }
};

const isLoopback = ({ protocol, hostname }: URL): boolean => protocol === 'http:' && loopbackHosts.has(hostname);

/** The fault as the end of a sentence; undefined: valid. */
export const checkRedirectUri = (address: string, confidential: boolean): string | undefined => {
  if (address.includes('*')) return 'has a wildcard: every address is registered in full';
  // Also `%00` and the like, which some servers decode before they compare.
  if (address === '' || textFault(address, 'address') !== undefined || ambiguousCharacters.test(address))
    return 'has characters that are not allowed in this address';
  const url = parseUrl(address);
  if (url === undefined) return 'must be an absolute URL, such as https://app.example.com/callback';
  if (address.includes('#')) return 'has a fragment';
  if (url.username !== '' || url.password !== '' || /^[a-z.+-]+:\/\/[^/?]*@/i.test(address)) return 'names a user';
  if (url.protocol === 'https:' || isLoopback(url))
    return url.href === address || url.href === `${address}/` ? undefined : 'is not written in its plain form';
  if (url.protocol === 'http:')
    return 'must be https, or http with a loopback address such as http://127.0.0.1/callback';
  if (!url.protocol.includes('.'))
    return 'has a scheme that is not https, nor one of its own: that needs a dot, as in com.example.app:/callback (RFC 8252 section 7.1)';
  if (!privateScheme.test(url.protocol)) return 'has a scheme that is not https, nor a domain name in reverse';
  return confidential ? 'has a scheme of its own, which only public clients may have' : undefined;
};

/** The fault as the end of a sentence; undefined: valid. Requests go there, so it has no scheme of a native app. */
export const checkBackchannelUri = (address: string): string | undefined => checkRedirectUri(address, true);

/** No host is checked: the fetch itself does that. An empty user or fragment counts, which the parsed URL no longer shows. */
export const isHttps = (address: string): boolean =>
  textFault(address, 'address') === undefined &&
  parseUrl(address)?.protocol === 'https:' &&
  /^https:\/\/[^/?#@]+(?:[/?][^#]*)?$/i.test(address);
