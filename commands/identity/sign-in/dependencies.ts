/** Dependencies and request of the sign-in pages. */
import type { TenantId } from '../../../domain/kernel/ids';
import type { Attempts } from '../../../infra/ports/attempts';
import type { Kept } from '../../../infra/ports/kept';
import type { Kms } from '../../../infra/ports/kms';
import type { Once } from '../../../infra/ports/once';
import type { Providers } from '../../../infra/ports/providers';
import type { CommandDeps } from '../../kernel/command-spec';
import type { BrowserDeps } from '../sessions/current-session';
import type { PasswordHasher } from './password-hashing';

export interface SignInDeps extends CommandDeps {
  readonly kms: Kms;
  readonly browsers: BrowserDeps;
  /** False without a vault: addresses are personal data. */
  readonly recordsAddresses: boolean;
  /** Resolves after the given milliseconds. */
  readonly pause: (milliseconds: number) => Promise<unknown>;
  readonly firstSignIn: { readonly code: string | undefined; readonly tenantId: TenantId };
  readonly people: {
    readonly passwords: PasswordHasher;
    readonly attempts: Attempts;
    /** Flow state of browsers, for minutes. */
    readonly kept: Kept;
    readonly once: Once;
    readonly providers: Providers;
  };
}

export interface PageRequest {
  readonly headers: { readonly [name: string]: string | undefined };
  readonly requestId: string;
}
