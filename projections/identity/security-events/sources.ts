/** What each event means to somebody who watches over access. */
import { issuance } from '../../../domain/identity/issuance/events';
import { principals } from '../../../domain/identity/principal/events';
import type { PrincipalId, PrincipalType } from '../../../domain/identity/principal-id';
import type { DomainEvent } from '../../../domain/kernel/family';
import { on, put, type Source, type WholeChange } from '../../kernel/projection';
import type { Recorded } from '../../kernel/recorded';
import type { SecurityEventRow } from './row';

interface Meaning {
  readonly summary: string;
  readonly principalType?: PrincipalType;
  readonly details?: SecurityEventRow['details'];
}

const longestSummary = 1_000;

type OfPrincipal = DomainEvent<string, { readonly principalId: PrincipalId }>;

const row = ({ data, at, event }: Recorded<OfPrincipal>, { summary, principalType, details = {} }: Meaning) =>
  put<SecurityEventRow>({
    eventId: event.id,
    position: event.position,
    timestamp: event.occurredAt,
    type: event.type,
    principalId: data.principalId,
    principalType: principalType ?? null,
    actor: event.actor,
    // None of these is an alarm by itself; detectors raise those.
    severity: null,
    summary: summary.slice(0, longestSummary).toWellFormed(),
    details,
    ...at,
  });

type RowSource = Source<WholeChange<SecurityEventRow>>;

const ofPrincipals: RowSource = on(principals, 'principal', {
  PrincipalRegistered: (recorded) => {
    const { principalType } = recorded.data;
    return row(recorded, { summary: `Principal registered as ${principalType}.`, principalType });
  },
  PrincipalSuspended: (recorded) => {
    const { reason } = recorded.data;
    return row(recorded, { summary: `Principal suspended: ${reason}`, details: { reason } });
  },
  PrincipalReactivated: (recorded) => {
    const { reason } = recorded.data;
    return row(recorded, { summary: `Principal reactivated: ${reason}`, details: { reason } });
  },
  SecurityEpochBumped: (recorded) => {
    const { from, to, reason } = recorded.data;
    const summary = `Security epoch raised from ${from} to ${to}: ${reason}`;
    return row(recorded, { summary, details: { from, to, reason } });
  },
  CredentialIssued: (recorded) => {
    const { credentialId, scopes, expiresAt } = recorded.data;
    const summary = `Credential issued with ${scopes.join(', ')}.`;
    return row(recorded, { summary, details: { credentialId, scopes, expiresAt } });
  },
  CredentialRevoked: (recorded) => {
    const { credentialId, reason } = recorded.data;
    return row(recorded, { summary: `Credential revoked: ${reason}`, details: { credentialId, reason } });
  },
});

/** Without the source address: it is personal, and an index cannot forget it with its key. */
const ofIssuance: RowSource = on(issuance, 'issuance', {
  TokenIssued: (recorded) => {
    const { principalType, jti, credentialId, audience, scopes, securityEpoch, expiresAt } = recorded.data;
    const summary = `Token issued for ${audience.join(', ')} with ${scopes.join(', ')}.`;
    const details = { jti, credentialId, audience, scopes, securityEpoch, expiresAt };
    return row(recorded, { summary, principalType, details });
  },
});

export const securityEventSources: readonly RowSource[] = [ofPrincipals, ofIssuance];
