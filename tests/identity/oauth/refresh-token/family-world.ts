/** Two refresh families of one person, their grants and the person's epoch, on logs with revisions, as several processes use them. */
import { isLeft } from 'fp-ts/Either';
import { type GrantCommand, grant } from '../../../../domain/identity/grant/decider';
import type { ClientId, FamilyId, GrantId, IncidentId } from '../../../../domain/identity/ids';
import { incident } from '../../../../domain/identity/incident/decider';
import { reasonOf, refreshReuseIncident } from '../../../../domain/identity/incident/new-incident';
import { type PrincipalCommand, principal } from '../../../../domain/identity/principal/decider';
import { refreshFamily, type UseRefreshToken } from '../../../../domain/identity/refresh-family/decider';
import type { Family } from '../../../../domain/identity/refresh-family/state';
import type { Instant } from '../../../../domain/kernel/codec';
import { type Decider, fold } from '../../../../domain/kernel/decider';
import type { DomainEvent } from '../../../../domain/kernel/family';
import { plusSeconds } from '../../../../domain/kernel/instant';
import { noon, principalId, scope, tenantId } from '../../examples';

const clientId = 'acme~app' as ClientId;
export const idleSeconds = 60;
export const lifeSeconds = 300;
/** Of token `number` of family `name`: a hash as good as another. */
const hashOf = (name: string, number: number): string => `${name}-${number}`;

const stream = <Command, State, Event extends DomainEvent, Code extends string>(
  rules: Decider<Command, State, Event, Code>,
) => {
  let [state, revision] = [rules.initial, -1];
  const seen = () => ({ state, revision });
  /** Decided on what was seen, which may be out of date by now: then nothing is appended. */
  const append = (command: Command, sight = seen()): readonly Event[] | 'refused' | 'conflict' => {
    const decision = rules.decide(command, sight.state);
    if (isLeft(decision)) return 'refused';
    if (decision.right.length > 0 && sight.revision !== revision) return 'conflict';
    state = fold(rules, state, decision.right);
    revision += decision.right.length;
    return decision.right;
  };
  return { seen, append };
};

const opening = (name: string, securityEpoch: number, at: Instant) => {
  const [familyId, grantId] = [`family-${name}` as FamilyId, `grant-${name}` as GrantId];
  const whose = { grantId, principalId, clientId };
  const expiresAt = plusSeconds(at, lifeSeconds);
  const bound = { jkt: name === 'bound' ? 'key' : null, x5t: null };
  const opened = {
    familyId,
    ...whose,
    ...bound,
    securityEpoch,
    hash: hashOf(name, 0),
    openedAt: at,
    idleSeconds,
    expiresAt,
  };
  const how = {
    authenticatedAt: at,
    methods: ['pwd'],
    createdAt: at,
    expiresAt,
    sessionId: null,
    clientEpoch: 0,
    idTokenClaims: [],
    workload: null,
  };
  const what = { scopes: [scope('principals:read')], audience: ['septet'], principalType: 'HUMAN' as const };
  return { opened, granted: { ...whose, ...how, ...what, refreshFamilyId: familyId } };
};

const openFamily = (name: string, at: Instant, securityEpoch = 1) => {
  const family = stream(refreshFamily);
  const granted = stream(grant);
  const data = opening(name, securityEpoch, at);
  granted.append({ type: 'OpenGrant', data: data.granted });
  family.append({ type: 'OpenFamily', data: data.opened });
  return { name, family, granted, incident: stream(incident) };
};

export type Line = ReturnType<typeof openFamily>;

export interface Use {
  readonly number: number;
  readonly forged?: boolean;
  readonly key: string | null;
  /** Cut short after the family is marked: the next caller does the rest. */
  readonly cut?: boolean;
}

export const openWorld = () => {
  const person = stream(principal);
  let at: Instant = noon;
  person.append({ type: 'RegisterPrincipal', principalId, tenantId, principalType: 'HUMAN', at });
  const lines = { bound: openFamily('bound', at), open: openFamily('open', at) };
  const personState = () => {
    const { state } = person.seen();
    if (state.kind === 'none') throw new Error('the person is registered');
    return state;
  };
  const familyState = ({ family }: Line): Family => {
    const { state } = family.seen();
    if (state.kind === 'none') throw new Error('the family is opened');
    return state;
  };
  const commandOf = ({ name }: Line, { number, forged, key }: Use): UseRefreshToken => ({
    type: 'UseRefreshToken',
    number,
    clientId,
    authenticated: false,
    jkt: key,
    x5t: null,
    at,
    hash: forged === true ? 'forged' : hashOf(name, number),
    successorHash: hashOf(name, number + 1),
    incidentId: `incident-${name}` as IncidentId,
    securityEpoch: personState().securityEpoch,
  });
  const contain = (line: Line): void => {
    const { reuse, familyId, grantId } = familyState(line);
    if (reuse === null) return;
    const open = refreshReuseIncident({ familyId, grantId, principalId, ...reuse });
    const { incidentId, epochTo: to } = open.data;
    const reason = reasonOf(open.data);
    line.incident.append(open);
    line.granted.append({ type: 'CompromiseGrant', incidentId, reason });
    person.append({ type: 'BumpEpoch', principalId, to, grants: 'kept', reason, at: reuse.at });
  };
  /** The person signs in again: no client uses the earlier tokens any more. */
  const reopen = (name: keyof typeof lines): void => {
    lines[name] = openFamily(name, at, personState().securityEpoch);
  };
  return {
    lines,
    reopen,
    contain,
    personState,
    familyState,
    commandOf,
    now: () => at,
    wait: (seconds: number): void => {
      at = plusSeconds(at, seconds);
    },
    tell: (command: PrincipalCommand) => person.append(command),
    end: ({ granted }: Line, command: GrantCommand) => granted.append(command),
  };
};

export type World = ReturnType<typeof openWorld>;
