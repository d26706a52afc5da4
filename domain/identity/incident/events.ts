/** A suspicion that access is in wrong hands: whose, through what, each step that contains it, and how it ended. */
import * as t from 'io-ts';
import { Instant, nullable, oneOf, text } from '../../kernel/codec';
import { aggregate } from '../../kernel/family';
import { PrincipalId } from '../../kernel/ids';
import { TokenId } from '../denylist/events';
import { FamilyId, GrantId, IncidentId, KeyId } from '../ids';
import { Reason, SecurityEpoch } from '../principal/events';
import { Severity } from '../protocol/severity';
import { ContainmentStep, StepDetail, StepResult } from './steps';

/**
 * `refresh-token-reuse`: a rotated token was presented again, so it or its successor was stolen. `refresh-token-shown-by-another`: another
 * client or key presented the token. `reported`: a person reported it. `detected`: a detection rule did.
 */
export const IncidentSubject = oneOf('IncidentSubject', [
  'refresh-token-reuse',
  'refresh-token-shown-by-another',
  'authorization-code-replay',
  'device-code-replay',
  'principal-compromise',
  'signing-key-compromise',
  'reported',
  'detected',
]);
export type IncidentSubject = t.TypeOf<typeof IncidentSubject>;

/**
 * What is suspected to be in wrong hands, and so what ends. `nothing`: it is only noted. `token` and `grant` leave the principal active;
 * `principal` marks it compromised; `tenant` and `platform` end every token.
 */
export const IncidentReach = oneOf('IncidentReach', [
  'nothing',
  'token',
  'grant',
  'principal',
  'key',
  'tenant',
  'platform',
]);
export type IncidentReach = t.TypeOf<typeof IncidentReach>;

/** Position in the log, as decimal text. */
const LogSequence = text('LogSequence', { maxLength: 20, pattern: '\\d{1,20}', examples: ['184467440'] });

/** How the principal proved itself afresh (section 5). `administrator`: another one vouched for a pipeline without attestation. */
export const RecoveryMethod = oneOf('RecoveryMethod', [
  'sign-in',
  'attestation',
  'attestation-and-delegation',
  'administrator',
  'break-glass',
]);
export type RecoveryMethod = t.TypeOf<typeof RecoveryMethod>;

/** The reason with which the replacement is issued. */
export const securityRecovery = 'SECURITY_RECOVERY';

export const incidents = aggregate(
  { context: 'identity', name: 'incident', id: IncidentId },
  {
    IncidentOpened: {
      v: 2,
      data: {
        incidentId: IncidentId,
        severity: Severity,
        subject: IncidentSubject,
        reach: IncidentReach,
        /** Null: not of one principal. */
        principalId: nullable(PrincipalId),
        grantId: nullable(GrantId),
        familyId: nullable(FamilyId),
        /** Of the token that is blocked; null: none is known. */
        jti: nullable(TokenId),
        /** Null: as late as a token can expire. */
        jtiExpiresAt: nullable(Instant),
        kid: nullable(KeyId),
        /** That the principal must reach. Null: the next one, or none is raised, as the reach has it. */
        epochTo: nullable(SecurityEpoch),
        note: nullable(Reason),
        /** A drill: it alerts as such. */
        drill: t.boolean,
        openedAt: Instant,
      },
      // Measures of version 1 were recorded in their own streams alone.
      from: {
        1: (old: object) => ({
          ...old,
          reach: 'nothing',
          ...{ jti: null, jtiExpiresAt: null, kid: null, epochTo: null, note: null, drill: false },
        }),
      },
    },
    ContainmentStepTaken: {
      v: 1,
      data: {
        incidentId: IncidentId,
        principalId: nullable(PrincipalId),
        step: ContainmentStep,
        result: StepResult,
        detail: StepDetail,
        /** Position of the last measure so far; null: none was needed. */
        sequence: nullable(LogSequence),
        takenAt: Instant,
      },
    },
    /** The ninth step: the principal proved itself again, and a replacement was issued. */
    IncidentRecovered: {
      v: 1,
      data: {
        incidentId: IncidentId,
        principalId: PrincipalId,
        method: RecoveryMethod,
        /** When the fresh authentication was. */
        authenticatedAt: Instant,
        /** The epoch that ended all earlier tokens. */
        securityEpoch: SecurityEpoch,
        recoveredAt: Instant,
      },
    },
    /** Without a replacement. */
    IncidentClosed: {
      v: 1,
      data: { incidentId: IncidentId, principalId: nullable(PrincipalId), reason: Reason, closedAt: Instant },
    },
  },
);
export type IncidentEvent = typeof incidents.Event;

export const { stream: incidentStream } = incidents;
