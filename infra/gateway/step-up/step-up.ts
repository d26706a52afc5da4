/**
 * Step-up at the gateway. The policy requires an approval before the body of a request is read; a request with a capability then waits for its
 * body, by which the capability is used up.
 */
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isLeft } from 'fp-ts/Either';
import { canonicalAction, splitTarget } from '../../../domain/identity/approval/action';
import { type Problem, problemOf } from '../../server/http/problem';
import type { Identity } from '../../server/http/routing/route';
import { type StepUpGate, stepUpRequired } from '../policy/step-up-gate';
import { gatewayProblems } from '../problems';
import { requestIdOf } from '../security-headers';
import { hasBody } from '../validate-request';
import type { ApprovalsClient } from './approvals-client';
import { exactJson } from './exact-json';

const capabilityHeader = 'septet-capability';

export interface StepUp {
  readonly gate: StepUpGate;
  /** Called where `redeem` follows: at other doors, which read no body, capabilities are no use. */
  readonly expect: (request: IncomingMessage) => void;
  /** A capability was presented, and not used up yet. */
  readonly isPending: (request: IncomingMessage) => boolean;
  /** Uses the capability up, as the last step before the request is forwarded. Undefined: it may be, also where none is needed. */
  readonly redeem: (response: ServerResponse, body: Buffer | undefined) => Promise<Problem | undefined>;
}

interface PresentedCapability {
  readonly approvalId: string;
  readonly secret: string;
  readonly identity: Identity;
  readonly policyVersion: number;
}

const capabilityShape = /^([A-Za-z0-9][A-Za-z0-9_-]{0,127})\.([A-Za-z0-9_-]{1,64})$/;

const unreadable = (): Problem =>
  problemOf(
    {
      kind: 'rejection',
      code: 'action-unreadable',
      detail:
        'What a person approves has a JSON body of at most 64 KiB and of known length, with exact numbers, or none.',
    },
    gatewayProblems,
  );

const isJson = ({ headers }: IncomingMessage): boolean =>
  /^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '') && headers['content-encoding'] === undefined;

/** Undefined: it has a body that cannot be compared. */
const hashOf = (
  request: IncomingMessage,
  { identity, audience }: { readonly identity: Identity; readonly audience: string },
  bytes: Buffer | undefined,
): string | undefined => {
  const { method = '', url = '' } = request;
  const content = bytes === undefined || !isJson(request) ? undefined : exactJson(bytes);
  if (hasBody(request) && content === undefined) return undefined;
  const { tenantId, principalId: agentId, delegation } = identity;
  const { delegationId = null, taskId = null } = delegation ?? {};
  const whose = { audience, tenantId, agentId, delegationId, taskId };
  const canonical = canonicalAction({ method, ...splitTarget(url), body: content?.value, ...whose });
  return canonical === undefined ? undefined : createHash('sha256').update(canonical).digest('hex');
};

export const createStepUp = (approvals: ApprovalsClient, audience: string): StepUp => {
  const expected = new WeakSet<IncomingMessage>();
  const pending = new WeakMap<IncomingMessage, PresentedCapability>();
  return {
    expect: (request) => void expected.add(request),
    gate: async (request, identity, { version: policyVersion }) => {
      const [, approvalId, secret] = capabilityShape.exec(String(request.headers[capabilityHeader] ?? '')) ?? [];
      if (approvalId === undefined || secret === undefined || !expected.has(request)) return stepUpRequired();
      pending.set(request, { approvalId, secret, identity, policyVersion });
      return undefined;
    },
    isPending: (request) => pending.has(request),
    redeem: async (response, body) => {
      const { req: request } = response;
      const presented = pending.get(request);
      if (presented === undefined) return undefined;
      pending.delete(request);
      const { identity, approvalId, ...use } = presented;
      const actionHash = hashOf(request, { identity, audience }, body);
      if (actionHash === undefined) return unreadable();
      const requestId = String(response.getHeader('X-Request-Id') ?? requestIdOf(request));
      const { secret, policyVersion } = use;
      const used = await approvals.consume(identity, { approvalId, secret, actionHash, requestId, policyVersion });
      if (isLeft(used)) return used.left;
      response.once('close', () => {
        // Without an answer it is not known what the service did.
        if (response.headersSent)
          void approvals.answered(identity.tenantId, { approvalId, requestId, status: response.statusCode });
      });
      return undefined;
    },
  };
};
