/** Recorded events as what they revoke. */
import { isLeft } from 'fp-ts/Either';
import { clients } from '../../domain/identity/client/events';
import { floorOf } from '../../domain/identity/client/floor';
import { denials } from '../../domain/identity/denial/events';
import { grants } from '../../domain/identity/grant/events';
import { principals } from '../../domain/identity/principal/events';
import { refreshFamilies } from '../../domain/identity/refresh-family/events';
import { everyoneSecurityStream } from '../../domain/identity/security-streams';
import { sessions } from '../../domain/identity/session/events';
import { signingKeys } from '../../domain/identity/signing-keys/events';
import { tenantSecurity } from '../../domain/identity/tenant-security/events';
import { decode } from '../../domain/kernel/codec';
import type { DomainEvent, Family } from '../../domain/kernel/family';
import { parseStreamName } from '../../domain/kernel/ids';
import { EventMetadata } from '../../domain/kernel/metadata';
import type { StoredEvent } from '../ports/event-store';
import type { SecurityChange } from '../ports/security-state';
import { deniedUntil, forever, rememberedFrom } from './window';

/** Everything that revokes; read by type, wherever it stands. */
const types = [
  'SecurityEpochBumped',
  'TenantEpochBumped',
  'TokenDenied',
  'GrantRevoked',
  'GrantCompromised',
  'FamilyRevoked',
  'FamilyCompromised',
  'ClientDisabled',
  'KeyRevoked',
  'SessionEnded',
] as const;

export const revoking = { types: types.map((type) => `identity.${type}.`) };

/** Where and when it was recorded. */
interface Place {
  readonly stream: string;
  readonly tenantId: string;
  readonly sequence: bigint;
  readonly at: number;
}

const unreadable = ({ type, stream }: StoredEvent): Error => new Error(`${type} in ${stream} cannot be read`);

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

/** Throws on one that cannot be read: not to know of a revocation is not an option. */
const eventOf = (stored: StoredEvent): Revoking => {
  const event = byStoredType.get(stored.type)?.decode(stored.type, stored.data);
  if (event === undefined || isLeft(event)) throw unreadable(stored);
  return event.right as Revoking;
};

const placeOf = (stored: StoredEvent): Place => {
  const named = parseStreamName(stored.stream);
  const recorded = decode(EventMetadata, stored.metadata);
  if (named === undefined || isLeft(recorded)) throw unreadable(stored);
  const { stream, position: sequence } = stored;
  return { stream, tenantId: named.tenant, sequence, at: Date.parse(recorded.right.at) };
};

type Said = Partial<SecurityChange> & Pick<SecurityChange, 'kind' | 'subject'>;

const change = ({ tenantId, sequence, at }: Place, said: Said): SecurityChange => ({
  tenantId,
  minimum: 0,
  sequence,
  at,
  until: rememberedFrom(at),
  ...said,
});

const floor = (place: Place, minimum: number): SecurityChange => {
  const until = rememberedFrom(Math.max(minimum, place.at));
  return place.stream === everyoneSecurityStream
    ? change(place, { kind: 'globalEpoch', subject: '', tenantId: '', minimum, until })
    : change(place, { kind: 'tenantEpoch', subject: '', minimum, until });
};

/** As a floor, so that what it gets once it is enabled again counts. */
const disabled = (place: Place, applicationId: string): SecurityChange => {
  const minimum = floorOf(place.at);
  const subject = `${place.tenantId}~${applicationId}`;
  return change(place, { kind: 'client', subject, minimum, until: rememberedFrom(minimum) });
};

type Revoked = (typeof types)[number];
type DataBy = { readonly [Type in Revoked]: Extract<Revoking, { type: Type }>['data'] };
type ChangeBy<Types extends Revoked = Revoked> = {
  readonly [Type in Types]: (data: DataBy[Type], place: Place) => SecurityChange;
};

const grantEnded = ({ grantId }: { readonly grantId: string }, place: Place) =>
  change(place, { kind: 'grant', subject: grantId });
const familyEnded = ({ familyId }: { readonly familyId: string }, place: Place) =>
  change(place, { kind: 'family', subject: familyId });

const changeBy: ChangeBy = {
  SecurityEpochBumped: ({ principalId, to }, place) =>
    change(place, { kind: 'epoch', subject: principalId, minimum: to }),
  TenantEpochBumped: ({ notBefore }, place) => floor(place, Date.parse(notBefore)),
  TokenDenied: ({ jti, expiresAt }, place) =>
    change(place, { kind: 'jti', subject: jti, until: deniedUntil(Date.parse(expiresAt)) }),
  GrantRevoked: grantEnded,
  GrantCompromised: grantEnded,
  FamilyRevoked: familyEnded,
  FamilyCompromised: familyEnded,
  ClientDisabled: ({ applicationId }, place) => disabled(place, applicationId),
  KeyRevoked: ({ kid }, place) => change(place, { kind: 'key', tenantId: '', subject: kid, until: forever }),
  SessionEnded: ({ sessionId }, place) => change(place, { kind: 'session', subject: sessionId }),
};

const isRevoking = (event: Revoking): event is Extract<Revoking, { type: Revoked }> =>
  Object.hasOwn(changeBy, event.type);

const changeOfType = <Type extends Revoked>(
  by: ChangeBy<Type>,
  { type, data }: { readonly type: Type; readonly data: DataBy[Type] },
  place: Place,
): SecurityChange => by[type](data, place);

/** Undefined: an event that revokes nothing. */
export const changeOf = (stored: StoredEvent): SecurityChange | undefined => {
  const event = eventOf(stored);
  return isRevoking(event) ? changeOfType(changeBy, event, placeOf(stored)) : undefined;
};
