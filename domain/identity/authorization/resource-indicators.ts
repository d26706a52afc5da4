/** Resource indicators (RFC 8707): which audience a requested resource stands for, and the text of a refusal. */
import { type Either, left, right } from 'fp-ts/Either';

export interface IssuerOfTokens {
  readonly issuer: string;
  /** Audiences of tokens; the first is that of Septet's own API. */
  readonly audiences: readonly string[];
}

/** URLs of a host and nothing more are one with and without the slash (RFC 3986 section 6.2.3); libraries add it. */
export const withoutRootSlash = (resource: string): string => resource.replace(/^(https?:\/\/[^/?#]+)\/$/i, '$1');

const isSame = (one: string, other: string): boolean => withoutRootSlash(one) === withoutRootSlash(other);

/** Septet's own API is a protected resource by its URL (RFC 9728), and by that of each path. */
const isOwnUrl = (resource: string, { issuer, audiences }: IssuerOfTokens): boolean =>
  (resource === issuer || resource.startsWith(`${issuer}/`)) && !audiences.some((known) => isSame(known, resource));

/** Whether the installation itself, or what it serves, has the audience. */
export const isAudienceOf = (resource: string, home: IssuerOfTokens): boolean =>
  isOwnUrl(resource, home) || home.audiences.some((known) => isSame(known, resource));

const audienceFor = (resource: string, allowed: readonly string[], home: IssuerOfTokens): string | undefined => {
  const found = allowed.find((one) => one === resource) ?? allowed.find((one) => isSame(one, resource));
  if (found !== undefined || !isOwnUrl(resource, home)) return found;
  return allowed.find((one) => one === home.audiences[0]);
};

/** Left: one of the resources is not allowed. */
export const audiencesFor = (
  resources: readonly string[],
  allowed: readonly string[],
  home: IssuerOfTokens,
): Either<'invalid_target', readonly string[]> => {
  const found = resources.map((resource) => audienceFor(resource, allowed, home));
  return found.includes(undefined)
    ? left('invalid_target')
    : right([...new Set(found.filter((audience) => audience !== undefined))]);
};

const mostNamed = 10;

/** For descriptions of errors, which have neither quotes nor backslashes (RFC 6749 section 5.2). */
export const listAudiences = (audiences: readonly string[]): string => {
  if (audiences.length === 0) return 'nothing';
  const named = audiences.slice(0, mostNamed).map((audience) => audience.replaceAll(/[^\x21\x23-\x5b\x5d-\x7e]/g, '?'));
  const more = audiences.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
};

/** `allowed` is what an application may request. */
export const targetRefusal = (allowed: readonly string[]): string =>
  `No tokens are issued to the client for that resource: it may ask for ${listAudiences(allowed)}. The audiences of a client are part of its registration.`;
