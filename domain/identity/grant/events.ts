/** A grant: one approval of a person for a client, or one exchange of a workload's credential. Its tokens name it and end with it. */
import * as t from 'io-ts';
import { Instant, integer, nullable, record, text, withDefault } from '../../kernel/codec';
import { aggregate } from '../../kernel/family';
import { PrincipalId } from '../../kernel/ids';
import { PersonClaims } from '../authorization/requested-claims';
import {
  Audience,
  AuthenticationMethod,
  ClientId,
  FamilyId,
  GrantId,
  IncidentId,
  PrincipalType,
  SessionId,
  TrustRuleId,
  WorkloadIssuerId,
} from '../ids';
import { Reason } from '../principal/events';
import { Scopes } from '../scopes';

/** The workload whose credential was exchanged, as its issuer attests it. */
export const GrantedWorkload = record('GrantedWorkload', {
  issuerId: WorkloadIssuerId,
  ruleId: TrustRuleId,
  subject: text('WorkloadSubject', { maxLength: 2_048, examples: ['repo:octo-org/octo-repo:ref:refs/heads/main'] }),
});
export type GrantedWorkload = t.TypeOf<typeof GrantedWorkload>;

export const grants = aggregate(
  { context: 'identity', name: 'grant', id: GrantId },
  {
    GrantOpened: {
      v: 2,
      data: {
        grantId: GrantId,
        principalId: PrincipalId,
        principalType: PrincipalType,
        clientId: ClientId,
        scopes: Scopes,
        audience: t.array(Audience, 'Audiences'),
        /** The session of the approval. With `offline_access` the grant goes on after it; null in earlier events of such grants. */
        sessionId: nullable(SessionId),
        refreshFamilyId: nullable(FamilyId),
        authenticatedAt: Instant,
        methods: t.array(AuthenticationMethod, 'AuthenticationMethods'),
        createdAt: Instant,
        expiresAt: Instant,
        /** The client's grant epoch: a higher one voids the grant. Null in version 1. */
        clientEpoch: nullable(integer(0)),
        /** Claims that the request named for ID tokens; none in grants from before they could be named. */
        idTokenClaims: withDefault(PersonClaims, []),
        /** Null: an approval of a person. */
        workload: withDefault(nullable(GrantedWorkload), null),
      },
      from: { 1: (old: object) => ({ ...old, clientEpoch: null }) },
    },
    GrantRevoked: { v: 1, data: { grantId: GrantId, principalId: PrincipalId, reason: Reason } },
    GrantCompromised: {
      v: 1,
      data: { grantId: GrantId, principalId: PrincipalId, incidentId: nullable(IncidentId), reason: Reason },
    },
  },
);
export type GrantEvent = typeof grants.Event;

export const { stream: grantStream } = grants;
