/** Which of a person's sign-in methods a policy accepts. */
import type { Person } from '../authenticators/state';
import type { SignInPolicy } from './decider';

export type SignInMethods = Pick<Person, 'password' | 'passkeys' | 'upstreams'>;

type Accepted = Pick<SignInPolicy['rules'], 'passwords' | 'passkeys'> & { readonly issuers: readonly string[] };

/** Whether the person can begin a sign-in; a missing second factor is set up during it. */
export const hasWayIn = (accepted: Accepted, { password, passkeys, upstreams }: SignInMethods): boolean =>
  (accepted.passwords && password !== null) ||
  (accepted.passkeys && passkeys.size > 0) ||
  upstreams.some(({ issuer }) => accepted.issuers.includes(issuer));

const numberOf = (count: number, one: string): string =>
  `${count === 0 ? 'no' : count} ${one}${count === 1 ? '' : 's'}`;

/** For a sentence: `a password, no passkeys and 1 linked provider`. */
export const methodsText = ({ password, passkeys, upstreams }: SignInMethods): string =>
  `${password === null ? 'no' : 'a'} password, ${numberOf(passkeys.size, 'passkey')} and ${numberOf(upstreams.length, 'linked provider')}`;
