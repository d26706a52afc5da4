/** Options of a verifier. */
import type { IncomingMessage } from 'node:http';
import type { Nonces } from './dpop/nonce';
import type { ReplayCache } from './dpop/replay-cache';
import type { RevocationChecker } from './revocation/revocation-checker';
import type { Policy } from './verification/check-access';

export interface RevocationFeed {
  /** Access token of a client with `security:state`, requested for each connection to the feed. */
  readonly token: () => string | Promise<string>;
  /** Default: the issuer's `/v1/security/state/stream`. */
  readonly url?: string;
}

/** Metadata of the resource besides its address and its issuer (RFC 9728 section 2). */
export interface ResourceDescription {
  /** For people. */
  readonly name?: string;
  /** Scopes that clients request. */
  readonly scopes?: readonly string[];
  /** URL of a page for developers. */
  readonly documentation?: string;
}

export interface VerifierOptions {
  /** Issuer of tokens and keys. */
  readonly issuer: string;
  /** Required audience. */
  readonly audience: string;
  /** Public origin of the resource, as DPoP proofs must name it; the `Host` header is ignored. */
  readonly origin: string;
  /** `none`: tokens are valid until they expire, whatever happens. Explicit, so that it is not forgotten. */
  readonly revocations: RevocationFeed | RevocationChecker | 'none';
  /** Publishes metadata (RFC 9728), which challenges name; the audience is then the URL of the resource, at `origin`. */
  readonly metadata?: ResourceDescription;
  /** Default: the issuer's `/oauth/jwks`. */
  readonly jwksUri?: string;
  /** Check eight: whether this caller may do this. */
  readonly policy?: Policy;
  /** Replay cache shared by processes of one resource; default: local. */
  readonly replay?: ReplayCache;
  /** Required nonces (`derivedNonces`); default: none. */
  readonly nonces?: Nonces;
  /** Thumbprint of the client certificate, for certificate-bound tokens. */
  readonly certificateOf?: (request: IncomingMessage) => string | undefined;
  readonly fetch?: typeof fetch;
  readonly log?: (message: string, fields: { readonly [field: string]: unknown }) => void;
}
