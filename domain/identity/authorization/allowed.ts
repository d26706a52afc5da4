/** What of a request a person can hand out: nobody gives what they do not have. */
import { authorityOf, type Role } from '../roles';
import { distinct, personScopes, type Scope } from '../scopes';

interface Authority {
  readonly roles: readonly Role[];
  readonly scopes: readonly Scope[];
}

export const grantable = (asked: readonly Scope[], { roles, scopes }: Authority): readonly Scope[] => {
  const held = [...authorityOf(roles, scopes), ...personScopes];
  return distinct(asked.filter((scope) => held.includes(scope)));
};
