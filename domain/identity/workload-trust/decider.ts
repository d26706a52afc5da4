/** Trust in workloads: issuers and rules, made, changed and ended within the caller's own authority. */
import { type Either, right } from 'fp-ts/Either';
import type { Instant } from '../../kernel/codec';
import type { Decider } from '../../kernel/decider';
import { type Rejection, reject } from '../../kernel/rejection';
import { listAudiences } from '../authorization/resource-indicators';
import type { TrustRuleId, WorkloadIssuerId } from '../ids';
import { distinctScopes, missingScopes } from '../scopes';
import {
  type TrustRule,
  type TrustRuleLoosening,
  type WorkloadIssuer,
  type WorkloadTrustEvent,
  workloadTrusts,
} from './events';
import { checkIssuer, checkRule } from './rules';

export interface WorkloadTrust {
  /** In the order in which they were made. */
  readonly issuers: ReadonlyMap<WorkloadIssuerId, WorkloadIssuer>;
  readonly rules: ReadonlyMap<TrustRuleId, TrustRule>;
  /** Ids of issuers and rules that have ended: ending them again does nothing. */
  readonly ended: ReadonlySet<string>;
}

interface IssuerCommand {
  readonly issuerId: WorkloadIssuerId;
  readonly issuer: WorkloadIssuer;
  /** Without TLS, in an installation whose own network may be reached. */
  readonly allowsPlainHttp: boolean;
}

export interface TrustIssuer extends IssuerCommand {
  readonly type: 'TrustIssuer';
  readonly at: Instant;
}

/** The controller of the keys can state anything, so the caller holds all that the issuer's rules give. */
export interface ChangeIssuer extends IssuerCommand {
  readonly type: 'ChangeIssuer';
  readonly held: readonly string[];
}

export interface EndIssuer {
  readonly type: 'EndIssuer';
  readonly issuerId: WorkloadIssuerId;
  readonly reason: string;
}

interface RuleCommand {
  readonly ruleId: TrustRuleId;
  readonly rule: TrustRule;
  /** The caller's scopes. */
  readonly held: readonly string[];
  /** Audiences that tokens are issued for. */
  readonly knownAudiences: readonly string[];
}

export interface MakeRule extends RuleCommand {
  readonly type: 'MakeRule';
  readonly at: Instant;
}

export interface ChangeRule extends RuleCommand {
  readonly type: 'ChangeRule';
}

/** Only ends access, so the caller needs no authority over what the rule gives. */
export interface EndRule {
  readonly type: 'EndRule';
  readonly ruleId: TrustRuleId;
  readonly reason: string;
}

export type WorkloadTrustCommand = TrustIssuer | ChangeIssuer | EndIssuer | MakeRule | ChangeRule | EndRule;

export type WorkloadTrustRejection =
  | 'scope-not-held'
  | 'too-many-trust-rules'
  | 'too-many-workload-issuers'
  | 'trust-rule-differs'
  | 'trust-rule-invalid'
  | 'trust-rule-too-wide'
  | 'trust-rule-unknown'
  | 'workload-issuer-differs'
  | 'workload-issuer-exists'
  | 'workload-issuer-invalid'
  | 'workload-issuer-unknown';

type Decision = Either<Rejection<WorkloadTrustRejection>, readonly WorkloadTrustEvent[]>;

export const maxIssuers = 50;
export const maxRules = 500;

const isSame = (one: object, other: object): boolean => JSON.stringify(one) === JSON.stringify(other);

/** In the order of the codec, without undefined members. */
const issuerFieldsOf = ({ name, kind, issuer, keysUri, keys, claims }: WorkloadIssuer): WorkloadIssuer => ({
  name,
  kind,
  issuer,
  keysUri,
  keys,
  claims: claims.map(({ attribute, claim }) => ({ attribute, claim })),
});

const ruleFieldsOf = ({ name, issuerId, conditions, principalId, scopes, audience }: TrustRule): TrustRule => ({
  name,
  issuerId,
  conditions: conditions.map(({ attribute, comparison, value }) => ({ attribute, comparison, value })),
  principalId,
  scopes: distinctScopes(scopes),
  audience,
});

const trustIssuer = ({ issuerId, at: createdAt, ...command }: TrustIssuer, { issuers }: WorkloadTrust): Decision => {
  const issuer = issuerFieldsOf(command.issuer);
  const existing = issuers.get(issuerId);
  if (existing !== undefined)
    return isSame(existing, issuer)
      ? right([])
      : reject('workload-issuer-differs', 'An issuer with this id is trusted with other fields.');
  const fault = checkIssuer(issuer, command);
  if (fault !== undefined) return reject('workload-issuer-invalid', fault);
  if ([...issuers.values()].some((other) => other.issuer === issuer.issuer))
    return reject('workload-issuer-exists', 'The issuer is trusted already: change it, or make rules for it.');
  if (issuers.size >= maxIssuers)
    return reject('too-many-workload-issuers', `A tenant trusts at most ${maxIssuers} issuers: end one.`);
  return right([{ type: 'WorkloadIssuerTrusted', data: { issuerId, createdAt, ...issuer } }]);
};

const givenBy = (issuerId: WorkloadIssuerId, { rules }: WorkloadTrust): readonly string[] =>
  [...rules.values()].flatMap((rule) => (rule.issuerId === issuerId ? rule.scopes : []));

const unknownIssuer = () => reject('workload-issuer-unknown', 'The tenant trusts no such issuer.');

const changeIssuer = ({ issuerId, held, ...command }: ChangeIssuer, state: WorkloadTrust): Decision => {
  const existing = state.issuers.get(issuerId);
  if (existing === undefined) return unknownIssuer();
  const issuer = issuerFieldsOf(command.issuer);
  if (missingScopes(givenBy(issuerId, state), held).length > 0)
    return reject('scope-not-held', 'The caller needs all scopes that the rules of the issuer give.');
  if (isSame(existing, issuer)) return right([]);
  if (existing.kind !== issuer.kind || existing.issuer !== issuer.issuer)
    return reject('workload-issuer-differs', 'kind and issuer stay as they are: trust another issuer instead.');
  const fault = checkIssuer(issuer, command);
  if (fault !== undefined) return reject('workload-issuer-invalid', fault);
  return right([{ type: 'WorkloadIssuerChanged', data: { issuerId, ...issuer } }]);
};

/** Of what a rule gives, before and after a change. */
const notHeld = (rule: TrustRule, held: readonly string[]) =>
  missingScopes(rule.scopes, held).length === 0
    ? undefined
    : reject('scope-not-held', 'Only scopes of the caller can be given by a rule.');

const refuseRule = (
  rule: TrustRule,
  { held, knownAudiences }: RuleCommand,
  { issuers }: WorkloadTrust,
): Either<Rejection<WorkloadTrustRejection>, never> | undefined => {
  const issuer = issuers.get(rule.issuerId);
  if (issuer === undefined) return unknownIssuer();
  const fault = checkRule(rule, issuer);
  if (fault !== undefined) return reject(fault.code, fault.detail);
  if (!knownAudiences.includes(rule.audience))
    return reject(
      'trust-rule-invalid',
      `Tokens are issued for these audiences only: ${listAudiences(knownAudiences)}. AUDIENCES lists them.`,
    );
  return notHeld(rule, held);
};

const makeRule = (command: MakeRule, state: WorkloadTrust): Decision => {
  const { ruleId, at: createdAt } = command;
  const rule = ruleFieldsOf(command.rule);
  const existing = state.rules.get(ruleId);
  if (existing !== undefined)
    return isSame(existing, rule)
      ? right([])
      : reject('trust-rule-differs', 'A rule with this id exists with other fields.');
  const refused = refuseRule(rule, command, state);
  if (refused !== undefined) return refused;
  if (state.rules.size >= maxRules)
    return reject('too-many-trust-rules', `A tenant has at most ${maxRules} rules: end one.`);
  return right([{ type: 'TrustRuleMade', data: { ruleId, createdAt, ...rule } }]);
};

const unknownRule = () => reject('trust-rule-unknown', 'There is no such rule.');

/** A rule answers fewer workloads with each condition, so one that is gone or differs may answer more. */
const loosenedRespects = (before: TrustRule, next: TrustRule): readonly TrustRuleLoosening[] => {
  const isLoosened: { readonly [respect in TrustRuleLoosening]: boolean } = {
    conditions: before.conditions.some((condition) => !next.conditions.some((other) => isSame(condition, other))),
    scopes: missingScopes(next.scopes, before.scopes).length > 0,
    principalId: next.principalId !== before.principalId,
    issuerId: next.issuerId !== before.issuerId,
    audience: next.audience !== before.audience,
  };
  return (Object.keys(isLoosened) as TrustRuleLoosening[]).filter((respect) => isLoosened[respect]);
};

const changeRule = (command: ChangeRule, state: WorkloadTrust): Decision => {
  const { ruleId, held } = command;
  const existing = state.rules.get(ruleId);
  if (existing === undefined) return unknownRule();
  const rule = ruleFieldsOf(command.rule);
  const refused = notHeld(existing, held) ?? refuseRule(rule, command, state);
  if (refused !== undefined) return refused;
  if (isSame(existing, rule)) return right([]);
  const respects = [...loosenedRespects(existing, rule)];
  const { principalId } = rule;
  return right([
    ...(respects.length === 0 ? [] : [{ type: 'TrustRuleLoosened' as const, data: { ruleId, principalId, respects } }]),
    { type: 'TrustRuleChanged', data: { ruleId, ...rule } },
  ]);
};

const decide = (command: WorkloadTrustCommand, state: WorkloadTrust): Decision => {
  switch (command.type) {
    case 'TrustIssuer':
      return trustIssuer(command, state);
    case 'ChangeIssuer':
      return changeIssuer(command, state);
    case 'EndIssuer': {
      const { issuerId, reason } = command;
      if (state.ended.has(issuerId)) return right([]);
      if (!state.issuers.has(issuerId)) return unknownIssuer();
      return right([{ type: 'WorkloadIssuerEnded', data: { issuerId, reason } }]);
    }
    case 'MakeRule':
      return makeRule(command, state);
    case 'ChangeRule':
      return changeRule(command, state);
    case 'EndRule': {
      const { ruleId, reason } = command;
      if (state.ended.has(ruleId)) return right([]);
      if (!state.rules.has(ruleId)) return unknownRule();
      return right([{ type: 'TrustRuleEnded', data: { ruleId, reason } }]);
    }
  }
};

const without = <Id extends string, Value>(
  entries: ReadonlyMap<Id, Value>,
  gone: readonly Id[],
): ReadonlyMap<Id, Value> => new Map([...entries].filter(([id]) => !gone.includes(id)));

const withEnded = ({ ended }: WorkloadTrust, ids: readonly string[]): ReadonlySet<string> =>
  new Set([...ended, ...ids]);

/** A fact about an id makes it a living one. */
const withLiving = ({ ended }: WorkloadTrust, id: string): ReadonlySet<string> =>
  ended.has(id) ? new Set([...ended].filter((other) => other !== id)) : ended;

const endIssuer = (state: WorkloadTrust, issuerId: WorkloadIssuerId): WorkloadTrust => {
  const ruleIds = [...state.rules].flatMap(([id, rule]) => (rule.issuerId === issuerId ? [id] : []));
  return {
    issuers: without(state.issuers, [issuerId]),
    rules: without(state.rules, ruleIds),
    ended: withEnded(state, [issuerId, ...ruleIds]),
  };
};

const evolve = (state: WorkloadTrust, event: WorkloadTrustEvent): WorkloadTrust => {
  switch (event.type) {
    case 'WorkloadIssuerTrusted':
    case 'WorkloadIssuerChanged': {
      const { issuerId } = event.data;
      const issuers = new Map(state.issuers).set(issuerId, issuerFieldsOf(event.data));
      return { ...state, issuers, ended: withLiving(state, issuerId) };
    }
    case 'WorkloadIssuerEnded':
      return endIssuer(state, event.data.issuerId);
    case 'TrustRuleMade':
    case 'TrustRuleChanged': {
      const { ruleId } = event.data;
      const rules = new Map(state.rules).set(ruleId, ruleFieldsOf(event.data));
      return { ...state, rules, ended: withLiving(state, ruleId) };
    }
    case 'TrustRuleLoosened':
      return state;
    case 'TrustRuleEnded': {
      const { ruleId } = event.data;
      return { ...state, rules: without(state.rules, [ruleId]), ended: withEnded(state, [ruleId]) };
    }
  }
};

export const workloadTrust: Decider<WorkloadTrustCommand, WorkloadTrust, WorkloadTrustEvent, WorkloadTrustRejection> = {
  family: workloadTrusts,
  initial: { issuers: new Map(), rules: new Map(), ended: new Set() },
  evolve,
  decide,
};
