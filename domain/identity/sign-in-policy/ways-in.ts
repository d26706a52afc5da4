/** Which of a person's sign-in methods a policy accepts. */
import type { Person } from '../authenticators/state';

export type SignInMethods = Pick<Person, 'password' | 'passkeys' | 'upstreams'>;

export interface AcceptedMethods {
  readonly passwords: boolean;
  readonly passkeys: boolean;
  /** Of providers. */
  readonly issuers: readonly string[];
}

interface Policy {
  readonly rules: Pick<AcceptedMethods, 'passwords' | 'passkeys'>;
  readonly providers: Iterable<{ readonly issuer: string }>;
}

export const acceptedMethods = ({ rules: { passwords, passkeys }, providers }: Policy): AcceptedMethods => ({
  passwords,
  passkeys,
  issuers: [...providers].map(({ issuer }) => issuer),
});

/** Whether the person can begin a sign-in; a missing second factor is set up during it. */
export const hasWayIn = (accepted: AcceptedMethods, { password, passkeys, upstreams }: SignInMethods): boolean =>
  (accepted.passwords && password !== null) ||
  (accepted.passkeys && passkeys.size > 0) ||
  upstreams.some(({ issuer }) => accepted.issuers.includes(issuer));

const numberOf = (count: number, one: string): string =>
  `${count === 0 ? 'no' : count} ${one}${count === 1 ? '' : 's'}`;

/** For a sentence: `a password, no passkeys and 1 linked provider`. */
export const methodsText = ({ password, passkeys, upstreams }: SignInMethods): string =>
  `${password === null ? 'no' : 'a'} password, ${numberOf(passkeys.size, 'passkey')} and ${numberOf(upstreams.length, 'linked provider')}`;
