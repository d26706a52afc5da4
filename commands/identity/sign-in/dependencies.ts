/** Dependencies and request of the sign-in pages. */
import type { AttemptLimiter } from '../../../infra/ports/identity/attempt-limiter';
import type { ExpiringStore } from '../../../infra/ports/identity/expiring-store';
import type { IdentityProviders } from '../../../infra/ports/identity/identity-providers';
import type { ReplayCache } from '../../../infra/ports/identity/replay-cache';
import type { Kms } from '../../../infra/ports/kms';
import type { CommandDeps } from '../../kernel/command-spec';
import type { BrowserDeps } from '../sessions/current-session';
import type { FirstTenant } from '../tenants/first-sign-in-code';
import type { PasswordHasher } from './password-hashing';

export interface SignInDeps extends CommandDeps {
  readonly kms: Kms;
  readonly browsers: BrowserDeps;
  /** False without a vault: addresses are personal data. */
  readonly recordsAddresses: boolean;
  /** Resolves after that many milliseconds. */
  readonly pause: (milliseconds: number) => Promise<unknown>;
  readonly firstSignIn: FirstTenant;
  readonly people: {
    readonly passwords: PasswordHasher;
    readonly attempts: AttemptLimiter;
    /** Flow state of browsers, for minutes. */
    readonly flowStates: ExpiringStore;
    readonly once: ReplayCache;
    readonly providers: IdentityProviders;
  };
}

export interface PageRequest {
  readonly headers: { readonly [name: string]: string | undefined };
  readonly requestId: string;
}
