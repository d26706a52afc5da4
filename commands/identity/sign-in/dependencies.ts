/** What signing in needs, and what it knows of the request. */
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
  /** False where there is no vault to keep them in. */
  readonly recordsAddresses: boolean;
  /** Resolves after that many milliseconds. */
  readonly pause: (milliseconds: number) => Promise<unknown>;
  readonly firstSignIn: { readonly code: string | undefined; readonly tenantId: TenantId };
  readonly people: {
    readonly passwords: PasswordHasher;
    readonly attempts: Attempts;
    /** What is under way in a browser, for minutes. */
    readonly kept: Kept;
    readonly once: Once;
    readonly providers: Providers;
  };
}

export interface PageRequest {
  readonly headers: { readonly [name: string]: string | undefined };
  readonly requestId: string;
}
