/** Trust rules that let workloads act as a pipeline or an agent. The principal's stream records them with their scopes. */
import { type Either, right } from 'fp-ts/Either';
import type { PrincipalId } from '../../kernel/ids';
import { type Rejection, reject } from '../../kernel/rejection';
import type { TrustRuleId } from '../ids';
import { distinctScopes, missingScopes, type Scope } from '../scopes';
import { checkHeldAuthority } from './authority-check';
import type { PrincipalEvent } from './events';
import type { RegisteredPrincipal } from './state';
import { compromised } from './status';

export interface AuthorizeTrustRule {
  readonly type: 'AuthorizeTrustRule';
  readonly principalId: PrincipalId;
  readonly ruleId: TrustRuleId;
  /** Of the rule. */
  readonly scopes: readonly Scope[];
  /** The caller. */
  readonly by: string;
  /** The caller's scopes. */
  readonly held: readonly string[];
}

export type TrustRuleRejection =
  | 'principal-compromised'
  | 'principal-suspended'
  | 'scope-not-held'
  | 'trust-rule-of-a-person';

type TrustRuleAct = Pick<AuthorizeTrustRule, 'principalId' | 'scopes' | 'by' | 'held'>;

/** Whether the caller may let workloads act as the principal. */
export const checkTrustRule = (
  act: TrustRuleAct,
  state: RegisteredPrincipal,
): Either<Rejection<TrustRuleRejection>, never> | undefined => {
  if (state.principalType === 'HUMAN')
    return reject('trust-rule-of-a-person', 'A workload cannot act as a person: name a pipeline or an agent.');
  if (state.status === 'COMPROMISED') return compromised();
  if (state.status === 'SUSPENDED')
    return reject('principal-suspended', 'A workload cannot act as a suspended principal.');
  return checkHeldAuthority(act, state);
};

/** Scopes are only added here; `WithdrawAuthority` removes them. */
export const authorizeTrustRule = (
  command: AuthorizeTrustRule,
  state: RegisteredPrincipal,
): Either<Rejection<TrustRuleRejection>, readonly PrincipalEvent[]> => {
  const refused = checkTrustRule(command, state);
  if (refused !== undefined) return refused;
  const { principalId, ruleId } = command;
  const authorized = state.trustRules.get(ruleId);
  if (authorized !== undefined && missingScopes(command.scopes, authorized).length === 0) return right([]);
  const scopes = distinctScopes([...(authorized ?? []), ...command.scopes]);
  return right([{ type: 'TrustRuleAuthorized', data: { principalId, ruleId, scopes } }]);
};
