/** Makes an AuthEvent of each authorization decision. Nothing waits for it. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { AuthEvent } from '../../../domain/identity/protocol/auth-event';
import type { Instant } from '../../../domain/kernel/codec';
import type { AuthEventSink } from '../../ports/identity/auth-events';
import type { Problem } from '../../server/http/problem';
import { clientAddressOf } from '../authentication/client-address';
import { type DecidedToken, type DecisionNote, decisionNoteFor } from './decision-notes';

export interface AuthEventRecorder {
  /** `refused`: undefined when access is allowed. */
  readonly decided: (request: IncomingMessage, refused?: Problem) => void;
}

export interface AuthEventRecorderOptions {
  readonly record: AuthEventSink['record'];
  /** The gateway's own. */
  readonly audience: string;
  readonly now: () => number;
}

/** With the version of the policy that decided, where there is one. */
const reasonOf = (refused: Problem | undefined, note: DecisionNote | undefined): Pick<AuthEvent, 'reason'> => {
  const version = note?.policyVersion;
  if (refused === undefined) return version === undefined ? {} : { reason: `policy_allowed_v${version}` };
  const reason = note?.reason ?? refused.problem.code.replaceAll('-', '_').toLowerCase();
  return { reason: version === undefined ? reason : `${reason}_v${version}` };
};

const noToken: DecidedToken = { jti: null, principalId: null, principalType: null, tenantId: null, scopes: [] };

export const createAuthEventRecorder = ({ record, audience, now }: AuthEventRecorderOptions): AuthEventRecorder => ({
  decided: (request, refused) => {
    const note = decisionNoteFor(request);
    // A step of the protocol, which clients take by themselves (RFC 9449 section 9): nothing is decided yet.
    if (note?.reason === 'proof_nonce_required') return;
    const sourceIp = clientAddressOf(request);
    const event: AuthEvent = {
      eventId: randomUUID(),
      timestamp: new Date(now()).toISOString() as Instant,
      ...(note?.token ?? noToken),
      audience: note?.audience ?? audience,
      ...(sourceIp === '' ? {} : { sourceIp }),
      result: refused === undefined ? 'ALLOW' : 'DENY',
      ...reasonOf(refused, note),
    };
    record(event);
  },
});
