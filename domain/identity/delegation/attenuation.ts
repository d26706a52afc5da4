/** Scopes of a delegated token: never more than any link between the person and the tool allows. */

import { authorityOf } from '../principal/authority-check';
import type { RegisteredPrincipal } from '../principal/state';
import { distinctScopes, grantableScopes, type Scope } from '../scopes';
import type { Delegation } from './decider';

/** A delegation with the principal that made it, as both are now. */
export interface DelegationLink {
  readonly delegation: Pick<Delegation, 'scopes'>;
  readonly delegator: RegisteredPrincipal;
}

/** What is left of the delegated scopes: the delegator may have lost some since. */
const delegatedAuthority = ({ delegation: { scopes }, delegator }: DelegationLink): readonly Scope[] => {
  if (delegator.principalType === 'HUMAN') return grantableScopes(scopes, delegator);
  const own = authorityOf(delegator);
  return scopes.filter((scope) => own.includes(scope));
};

export interface Attenuation {
  /** From the last agent's delegation to the first delegator's. */
  readonly links: readonly DelegationLink[];
  /** Scopes of the agent's own policy. */
  readonly agent: readonly Scope[];
  /** Scopes that the task requires; null: all that are delegated. */
  readonly task: readonly string[] | null;
  /** Scopes that the tool accepts from agents; null: it has no policy. */
  readonly tool: readonly Scope[] | null;
}

export const attenuatedScopes = ({ links, agent, task, tool }: Attenuation): readonly Scope[] => {
  const limits = [...links.map(delegatedAuthority), ...(task === null ? [] : [task]), ...(tool === null ? [] : [tool])];
  return distinctScopes(agent.filter((scope) => limits.every((limit) => limit.some((one) => one === scope))));
};
