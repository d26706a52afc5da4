/** What whoever guards a resource says of it. */
import type { IncomingMessage } from 'node:http';
import type { Nonces } from './dpop/nonce';
import type { ReplayCache } from './dpop/replay-cache';
import type { RevocationChecker } from './revocation/revocation-checker';
import type { Policy } from './verification/check-access';

export interface RevocationFeed {
  /** An access token of a client that may read `security:state`; asked for whenever the feed is opened. */
  readonly token: () => string | Promise<string>;
  /** Left out, it is the issuer's `/v1/security/state/stream`. */
  readonly url?: string;
}

export interface VerifierOptions {
  /** As tokens name it, and where its keys are. */
  readonly issuer: string;
  /** What tokens must be for. */
  readonly audience: string;
  /** Scheme and host that clients reach this resource by: proofs are for it, whatever `Host` says. */
  readonly origin: string;
  /** `none` lets tokens count to their end, whatever happens to their principals: to be said, not to be forgotten. */
  readonly revocations: RevocationFeed | RevocationChecker | 'none';
  /** Left out, it is the issuer's `/oauth/jwks`. */
  readonly jwksUri?: string;
  /** The eighth check: whether this caller may do this. */
  readonly policy?: Policy;
  /** Proofs that were shown, where several processes serve one resource; else each remembers its own. */
  readonly replay?: ReplayCache;
  /** Nonces that proofs must hold (`derivedNonces`); left out, they need none. */
  readonly nonces?: Nonces;
  /** Thumbprint of the client's certificate, where tokens are bound to one. */
  readonly certificateOf?: (request: IncomingMessage) => string | undefined;
  readonly fetch?: typeof fetch;
  readonly log?: (message: string, fields: { readonly [field: string]: unknown }) => void;
}
