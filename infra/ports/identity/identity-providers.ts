/** Enterprise providers (OpenID Connect) as signing in sees them: where to send somebody, and whom they vouch for. */
import type { Either } from 'fp-ts/Either';

export interface Provider {
  readonly issuer: string;
  readonly clientId: string;
  readonly password: string | null;
}

/** Why nobody is signed in: a sentence for the person, and whether it is worth trying again. */
export interface ProviderFailure {
  readonly kind: 'away' | 'refused';
  readonly detail: string;
}

/** What is kept until the person comes back. */
export interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface ProviderIdentity {
  readonly issuer: string;
  readonly subject: string;
  /** Only where the provider says that it was verified. */
  readonly email: string | null;
  readonly name: string | null;
  /** `amr`, and `acr` where it was said. */
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
  /** Any of these is asked for by `acr_values`; none, where it is empty. */
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
