/** Addresses that webhooks may be sent to; whether they resolve to a public address is decided when they are connected to. */

const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

/** The fault as the end of a sentence; undefined: valid. */
export const checkWebhookUrl = (url: string): string | undefined => {
  if (!URL.canParse(url)) return 'must be an absolute URL, such as https://hooks.example.com/septet';
  const { protocol, hostname, username, password, hash } = new URL(url);
  if (username !== '' || password !== '') return 'names a user';
  if (hash !== '' || url.includes('#')) return 'has a fragment';
  if (protocol === 'https:' || (protocol === 'http:' && loopbackHosts.has(hostname))) return undefined;
  return 'must begin with https://';
};
