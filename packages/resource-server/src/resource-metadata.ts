/** Protected resource metadata (RFC 9728): where the document of a resource is, and challenges that name it. */
import { proofAlgorithms } from './dpop/verify-proof';
import { isSecureUrl } from './fetch-json';
import type { VerifierOptions } from './options';

export const resourceMetadataPath = '/.well-known/oauth-protected-resource';

/** Section 3.1: the well-known path goes between the host and the path of the resource. */
export const resourceMetadataUrl = (resource: string): string => {
  const { origin, pathname, search } = new URL(resource);
  return `${origin}${resourceMetadataPath}${pathname === '/' ? '' : pathname}${search}`;
};

const separated = /(?:"(?:[^"\\]|\\.)*"|[^",])+/g;
const schemeOf = (part: string): string | undefined => /^([A-Za-z]+)(?: +[a-z_]+=|$)/.exec(part)?.[1];
const ofTokens = new Set(['Bearer', 'DPoP']);

/** Section 5.1: adds `resource_metadata` to each challenge of `WWW-Authenticate` that requires an access token, and to no other. */
export const withResourceMetadata = (header: string, url: string): string => {
  const challenges: { readonly scheme: string; readonly parts: string[] }[] = [];
  for (const part of (header.match(separated) ?? []).map((text) => text.trim())) {
    const scheme = schemeOf(part);
    const current = challenges.at(-1);
    if (scheme !== undefined) challenges.push({ scheme, parts: [part] });
    // Of no form that can be read: it stays as it is.
    else if (current === undefined) return header;
    else current.parts.push(part);
  }
  return challenges
    .map(({ scheme, parts }) => {
      if (!ofTokens.has(scheme) || parts.some((part) => part.includes('resource_metadata='))) return parts.join(', ');
      const named = `resource_metadata="${url}"`;
      return parts.length === 1 && parts[0] === scheme ? `${scheme} ${named}` : [...parts, named].join(', ');
    })
    .join(', ');
};

export interface ResourceMetadata {
  readonly url: string;
  /** Where the resource serves the document. */
  readonly path: string;
  readonly document: { readonly [name: string]: unknown };
}

/** Throws where the audience cannot have metadata: clients find the document by the address of the resource. */
export const createResourceMetadata = ({
  issuer,
  audience,
  origin,
  metadata,
  certificateOf,
}: VerifierOptions): ResourceMetadata | undefined => {
  if (metadata === undefined) return undefined;
  const isAddress = URL.canParse(audience) && isSecureUrl(audience) && new URL(audience).origin === origin;
  if (!isAddress || /[?#]/.test(audience))
    throw new TypeError('With metadata, the audience is the URL of the resource, at the origin, without a query.');
  const { name, scopes, documentation } = metadata;
  const url = resourceMetadataUrl(audience);
  return {
    url,
    path: new URL(url).pathname,
    document: {
      resource: audience,
      authorization_servers: [issuer],
      bearer_methods_supported: ['header'],
      dpop_signing_alg_values_supported: proofAlgorithms,
      tls_client_certificate_bound_access_tokens: certificateOf !== undefined,
      ...(scopes === undefined ? {} : { scopes_supported: scopes }),
      ...(name === undefined ? {} : { resource_name: name }),
      ...(documentation === undefined ? {} : { resource_documentation: documentation }),
    },
  };
};
