/** Which of a person's sign-in methods a policy accepts. */
import type { Person } from '../authenticators/state';
import type { Provider, SignInPolicy } from './decider';

export type SignInMethods = Pick<Person, 'password' | 'passkeys' | 'upstreams'>;

export interface AcceptedMethods {
  readonly passwords: boolean;
  readonly passkeys: boolean;
  /** Of providers. */
  readonly issuers: readonly string[];
}

export const acceptedMethods = ({
  rules: { passwords, passkeys },
  providers,
}: Pick<SignInPolicy, 'rules'> & { readonly providers: Iterable<Provider> }): AcceptedMethods => ({
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
