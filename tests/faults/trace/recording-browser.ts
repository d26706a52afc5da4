/** A way to the system that writes down every secret that passes, in either direction, by the name under which it does. */
import type { Fetch } from '../../support/identity/scriptless-browser';
import type { Secrets } from './secrets';

/** Of forms, answers and addresses: whatever stands under such a name is for two to know. */
const names = new Set([
  ...['access_token', 'refresh_token', 'id_token', 'token', 'code', 'device_code', 'user_code', 'request_uri'],
  ...['client_secret', 'client_assertion', 'code_verifier', 'password', 'clientSecret', 'enrolmentUrl', 'csrf'],
]);

/** What is shorter might stand anywhere by chance. */
const shortest = 8;

const note = (secrets: Secrets, kind: string, value: unknown): void => {
  if (typeof value === 'string' && value.length >= shortest) secrets.set(value, kind);
};

const noteFields = (secrets: Secrets, where: string, fields: Iterable<readonly [string, unknown]>): void => {
  for (const [name, value] of fields) if (names.has(name)) note(secrets, `${name} of ${where}`, value);
};

const noteCookie = (secrets: Secrets, pair: string): void => {
  const [name = '', value] = pair.split(';')[0]?.split('=') ?? [];
  note(secrets, `cookie ${name.trim()}`, value);
};

const noteRequestSecrets = (secrets: Secrets, headers: Headers, body: string): void => {
  const [scheme = '', credential = ''] = (headers.get('authorization') ?? '').split(' ');
  note(secrets, `${scheme} credential`, credential);
  if (scheme.toLowerCase() === 'basic')
    note(secrets, 'Basic password', Buffer.from(credential, 'base64').toString().split(':')[1]);
  note(secrets, 'DPoP proof', headers.get('dpop'));
  for (const pair of (headers.get('cookie') ?? '').split(';')) noteCookie(secrets, pair);
  noteFields(secrets, 'a form', new URLSearchParams(body));
};

const noteResponseSecrets = (secrets: Secrets, { headers }: Response, text: string): void => {
  for (const pair of headers.getSetCookie()) noteCookie(secrets, pair);
  const location = headers.get('location');
  if (location !== null) noteFields(secrets, 'an address', new URL(location, 'http://septet.test').searchParams);
  const isJson = /json/.test(headers.get('content-type') ?? '') && text.startsWith('{');
  if (isJson) noteFields(secrets, 'an answer', Object.entries(JSON.parse(text) as object));
};

/** `site` is what the system calls itself; it is reached at `address`. */
export const recordSecretsThrough =
  (secrets: Secrets, [site, address]: readonly [string, string]): Fetch =>
  async (url, init) => {
    const body = init.body === undefined || init.body === null ? '' : String(init.body);
    noteRequestSecrets(secrets, new Headers(init.headers), body);
    const response = await fetch(url.replace(site, address), { ...init, redirect: 'manual' });
    noteResponseSecrets(secrets, response, await response.clone().text());
    return response;
  };
