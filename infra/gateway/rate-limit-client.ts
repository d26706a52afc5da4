/** Who a client says that it is, unproven: good for telling its requests apart, and for nothing else. */

/** Longer ones are nobody's. */
const longest = 512;

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
};

/** The name in HTTP Basic, form-encoded as clients of OAuth write it (RFC 6749 section 2.3.1). */
const inHeader = (authorization: string | undefined): string | undefined => {
  const [, encoded] = /^basic +([A-Za-z0-9+/=_-]{1,2048}) *$/i.exec(authorization ?? '') ?? [];
  const [name] = Buffer.from(encoded ?? '', 'base64')
    .toString('utf8')
    .split(':', 1);
  return name === undefined || encoded === undefined ? undefined : decoded(name);
};

/** Whom a client's own assertion is about (RFC 7523 section 3). */
const inAssertion = (assertion: string | null): string | undefined => {
  try {
    const payload: unknown = JSON.parse(Buffer.from(assertion?.split('.')[1] ?? '', 'base64url').toString('utf8'));
    const subject: unknown = typeof payload === 'object' && payload !== null ? Reflect.get(payload, 'sub') : undefined;
    return typeof subject === 'string' ? subject : undefined;
  } catch {
    return undefined;
  }
};

const inForm = (body: Buffer | undefined): string | undefined => {
  if (body === undefined) return undefined;
  const form = new URLSearchParams(body.toString('utf8'));
  return form.get('client_id') ?? inAssertion(form.get('client_assertion'));
};

/** By what would be believed first. */
export const claimedClient = (authorization: string | undefined, body?: Buffer): string | undefined => {
  const name = inHeader(authorization) ?? inForm(body);
  return name === undefined || name === '' || name.length > longest ? undefined : name;
};
