/** What is wrong with the fields of a check of limits. The server takes any text as a dimension: a mistyped address would only match no rule. */
import type { FieldFault } from '../kernel/field-faults';

const requestsText = 'Must be a whole number of at least 0.';

/** By pointer; the addresses of IPv4 and IPv6, without a port. */
export const peekTexts: { readonly [pointer: string]: string } = {
  '/body/dimensions/ip': 'Must be an IP address, such as 192.0.2.1 or 2001:db8::1.',
  '/body/weight/requests': requestsText,
};

const part = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)';
const ipv4 = new RegExp(`^${part}(?:\\.${part}){3}$`);

/** The parser of URLs knows the many ways to write IPv6. */
const isAddress = (text: string): boolean =>
  ipv4.test(text) || (/^[\da-f]*:[\da-f:.]*$/i.test(text) && URL.canParse(`http://[${text}]/`));

export const peekFaultsOf = (ip: string | undefined, requests: string): readonly FieldFault[] => {
  const wrong = [
    ...(ip !== undefined && !isAddress(ip) ? ['/body/dimensions/ip'] : []),
    ...(/^\d+$/.test(requests.trim()) ? [] : ['/body/weight/requests']),
  ];
  return wrong.map((pointer) => ({ pointer, text: peekTexts[pointer] ?? '' }));
};
