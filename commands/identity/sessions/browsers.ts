/** What pages and sessions need besides the log. */
import type { AccountCookies } from '../../../infra/http/account-cookies';
import type { Clock } from '../../../infra/ports/clock';
import type { Kms } from '../../../infra/ports/kms';
import type { LiveSessions } from '../../../infra/ports/live-sessions';
import type { PrincipalSource } from '../principals/load-principal';

export interface Browsers {
  readonly cookies: AccountCookies;
  /** Where our own pages are served. */
  readonly origins: readonly string[];
  readonly live: LiveSessions;
}

export interface SessionSource extends PrincipalSource {
  readonly clock: Clock;
  readonly kms: Kms;
  readonly browsers: Browsers;
}
