/** Maps recorded events to security state changes. */
import { isLeft } from 'fp-ts/Either';
import { clients } from '../../../domain/identity/client/events';
import { notBeforeOfDisabled, notBeforeOfVoided } from '../../../domain/identity/client/state';
import { denials } from '../../../domain/identity/denylist/events';
import { grants } from '../../../domain/identity/grant/events';
import { principals } from '../../../domain/identity/principal/events';
import { refreshFamilies } from '../../../domain/identity/refresh-family/events';
import { sessions } from '../../../domain/identity/session/events';
import { signingKeys } from '../../../domain/identity/signing-keys/events';
import { globalSecurityStream, tenantSecurity } from '../../../domain/identity/tenant-security/events';
import { decodeStored } from '../../../domain/kernel/codec';
import type { DomainEvent, Family } from '../../../domain/kernel/family';
import { parseStreamName } from '../../../domain/kernel/ids';
import { EventMetadata } from '../../../domain/kernel/metadata';
import type { StoredEvent } from '../../ports/event-store';
import type { SecurityChange } from '../../ports/identity/security-state';
import { deniedUntil, forever, retainSince } from './retention';

/** Event types that revoke, read across all streams. */
const revokingTypes = [
  'SecurityEpochBumped',
  'TenantEpochBumped',
  'TokenDenied',
  'GrantRevoked',
  'GrantCompromised',
  'FamilyRevoked',
  'FamilyCompromised',
  'ClientDisabled',
  'ClientGrantsVoided',
  'KeyRevoked',
  'SessionEnded',
] as const;

export const revokingEvents = { types: revokingTypes.map((type) => `identity.${type}.`) };

/** Position and time of the event. */
interface EventOrigin {
  readonly stream: string;
  readonly tenantId: string;
  readonly sequence: bigint;
  readonly at: number;
}

const unreadableEvent = ({ type, stream }: StoredEvent): Error => new Error(`${type} in ${stream} cannot be read`);

const families = [
  principals,
  tenantSecurity,
  denials,
  grants,
  refreshFamilies,
  clients,
  signingKeys,
  sessions,
] as const;
type Revoking = (typeof families)[number]['Event'];

const byStoredType = new Map(
  families.flatMap((family) => family.storedTypes.map((type) => [type, family as unknown as Family<DomainEvent>])),
);

/** Throws on unreadable events: a revocation must not be lost. */
const decodeEvent = (stored: StoredEvent): Revoking => {
  const event = byStoredType.get(stored.type)?.decode(stored.type, stored.data);
  if (event === undefined || isLeft(event)) throw unreadableEvent(stored);
  return event.right as Revoking;
};

const originOf = (stored: StoredEvent): EventOrigin => {
  const named = parseStreamName(stored.stream);
  const recorded = decodeStored(EventMetadata, stored.metadata);
  if (named === undefined || isLeft(recorded)) throw unreadableEvent(stored);
  const { stream, position: sequence } = stored;
  return { stream, tenantId: named.tenant, sequence, at: Date.parse(recorded.right.at) };
};

type ChangeFields = Partial<SecurityChange> & Pick<SecurityChange, 'kind' | 'subject'>;

const change = ({ tenantId, sequence, at }: EventOrigin, fields: ChangeFields): SecurityChange => ({
  tenantId,
  minimum: 0,
  sequence,
  at,
  until: retainSince(at),
  ...fields,
});

const notBeforeChange = (origin: EventOrigin, minimum: number): SecurityChange => {
  const until = retainSince(Math.max(minimum, origin.at));
  return origin.stream === globalSecurityStream
    ? change(origin, { kind: 'globalEpoch', subject: '', tenantId: '', minimum, until })
    : change(origin, { kind: 'tenantEpoch', subject: '', minimum, until });
};

/** As a not-before time: tokens issued after the change, or after re-enabling, are valid. */
const clientTokensVoid = (origin: EventOrigin, applicationId: string, minimum: number): SecurityChange => {
  const subject = `${origin.tenantId}~${applicationId}`;
  return change(origin, { kind: 'client', subject, minimum, until: retainSince(minimum) });
};

type Revoked = (typeof revokingTypes)[number];
type DataBy = { readonly [Type in Revoked]: Extract<Revoking, { type: Type }>['data'] };
type ChangeBy<Types extends Revoked = Revoked> = {
  readonly [Type in Types]: (data: DataBy[Type], origin: EventOrigin) => SecurityChange;
};

const grantRevoked = ({ grantId }: { readonly grantId: string }, origin: EventOrigin) =>
  change(origin, { kind: 'grant', subject: grantId });
const familyRevoked = ({ familyId }: { readonly familyId: string }, origin: EventOrigin) =>
  change(origin, { kind: 'family', subject: familyId });

const changeBy: ChangeBy = {
  SecurityEpochBumped: ({ principalId, to }, origin) =>
    change(origin, { kind: 'epoch', subject: principalId, minimum: to }),
  TenantEpochBumped: ({ notBefore }, origin) => notBeforeChange(origin, Date.parse(notBefore)),
  TokenDenied: ({ jti, expiresAt }, origin) =>
    change(origin, { kind: 'jti', subject: jti, until: deniedUntil(Date.parse(expiresAt)) }),
  GrantRevoked: grantRevoked,
  GrantCompromised: grantRevoked,
  FamilyRevoked: familyRevoked,
  FamilyCompromised: familyRevoked,
  ClientDisabled: ({ applicationId }, origin) =>
    clientTokensVoid(origin, applicationId, notBeforeOfDisabled(origin.at)),
  ClientGrantsVoided: ({ applicationId }, origin) =>
    clientTokensVoid(origin, applicationId, notBeforeOfVoided(origin.at)),
  KeyRevoked: ({ kid }, origin) => change(origin, { kind: 'key', tenantId: '', subject: kid, until: forever }),
  SessionEnded: ({ sessionId }, origin) => change(origin, { kind: 'session', subject: sessionId }),
};

const isRevoking = (event: Revoking): event is Extract<Revoking, { type: Revoked }> =>
  Object.hasOwn(changeBy, event.type);

const changeOfType = <Type extends Revoked>(
  by: ChangeBy<Type>,
  { type, data }: { readonly type: Type; readonly data: DataBy[Type] },
  origin: EventOrigin,
): SecurityChange => by[type](data, origin);

/** Undefined: the event revokes nothing. */
export const toSecurityStateChange = (stored: StoredEvent): SecurityChange | undefined => {
  const event = decodeEvent(stored);
  return isRevoking(event) ? changeOfType(changeBy, event, originOf(stored)) : undefined;
};
