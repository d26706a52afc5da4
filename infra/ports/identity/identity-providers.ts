/** Enterprise identity providers (OpenID Connect): where to send a person to sign in, and the identity they return. */
import type { Either } from 'fp-ts/Either';

export interface Provider {
  readonly issuer: string;
  readonly clientId: string;
  readonly password: string | null;
}

/** Why the sign-in failed: a sentence for the person, and whether a retry may help. */
export interface ProviderFailure {
  readonly kind: 'away' | 'refused';
  readonly detail: string;
}

/** State stored until the person returns. */
export interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface ProviderIdentity {
  readonly issuer: string;
  readonly subject: string;
  /** Only when the provider marks it as verified. */
  readonly email: string | null;
  readonly name: string | null;
  /** `amr`, and `acr` where the provider sent it. */
  readonly methods: readonly string[];
  readonly context: string | null;
  /** When the person proved themselves there, in seconds since 1970. */
  readonly authenticatedAt: number | null;
}

export interface SignInRequest {
  readonly provider: Provider;
  readonly callback: string;
  /** The person is to prove themselves again. */
  readonly fresh: boolean;
  /** Sent as `acr_values`, unless empty. */
  readonly contexts: readonly string[];
}

export interface SignInCallback extends PendingSignIn {
  readonly provider: Provider;
  /** As the browser came back to it. */
  readonly callback: URL;
  readonly fresh: boolean;
}

export interface IdentityProviders {
  readonly beginSignIn: (
    leaving: SignInRequest,
  ) => Promise<Either<ProviderFailure, PendingSignIn & { readonly url: string }>>;
  readonly completeSignIn: (returning: SignInCallback) => Promise<Either<ProviderFailure, ProviderIdentity>>;
}
