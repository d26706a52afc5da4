/** /device (RFC 8628 section 3.3): a person enters a user code and approves or denies the request. */
import { isLeft, right } from 'fp-ts/Either';
import { describeClient } from '../../../../domain/identity/client/state';
import { deviceRequest } from '../../../../domain/identity/device-authorization/decider';
import { deviceRequestStream } from '../../../../domain/identity/device-authorization/events';
import type { Random } from '../../../../infra/ports/runtime/random';
import { type PageAnswer, type RouteRequest, route } from '../../../../infra/server/http/routing/route';
import { handle } from '../../../kernel/handle';
import type { HandleDeps } from '../../../kernel/handle-request';
import { clientFingerprint } from '../../consent/changed-client';
import { grantConsent } from '../../consent/consent-records';
import { checkCsrf, type Fields, LooseFields } from '../../pages/form';
import { unavailablePage } from '../authorization/verified-client';
import {
  type FindDeviceDeps,
  findDeviceRequest,
  type PendingDeviceRequest,
  requireVerificationSession,
} from './find-device-request';
import { approvalPage, resultPage, userCodePage } from './verification-pages';

export interface DevicePageDeps extends HandleDeps, FindDeviceDeps {
  readonly random: Random;
}

const showVerification = async (
  deps: DevicePageDeps,
  request: RouteRequest<unknown, Fields, unknown>,
): Promise<PageAnswer> => {
  const session = await requireVerificationSession(deps, request.query, request);
  if (isLeft(session)) return session.left;
  const { user_code: typed } = request.query;
  if (typed === undefined) return userCodePage(session.right, false);
  const pending = await findDeviceRequest(deps, session.right, { typed, headers: request.headers });
  return isLeft(pending) ? pending.left : approvalPage(session.right, pending.right);
};

const answerCommandOf = (deps: DevicePageDeps, pending: PendingDeviceRequest, isApproved: boolean) => {
  const { deviceId, session, scopes, application } = pending;
  const { principalId, sessionId, authenticatedAt, methods } = session;
  const at = deps.clock.now();
  const clientEpoch = application.grantEpoch;
  const how = { authenticatedAt, methods: [...methods], scopes: [...scopes], approvedAt: at, clientEpoch };
  return isApproved
    ? ({ type: 'ApproveDevice', deviceId, principalId, sessionId, ...how } as const)
    : ({ type: 'DenyDevice', deviceId, principalId, at } as const);
};

/** Records the consent before the device can redeem it. */
const rememberConsent = (
  deps: DevicePageDeps,
  { session, clientId, application, scopes, audience }: PendingDeviceRequest,
  requestId: string,
) => {
  const { tenantId, principalId } = session;
  const context = { at: deps.clock.now(), requestId, commandId: deps.random.uuid() };
  const displayedClient = { clientEpoch: application.consentEpoch, client: describeClient(application) };
  const approved = { scopes, audience, ...displayedClient };
  return grantConsent(deps, { tenantId, principalId, clientId }, { approved, context });
};

const recordAnswer = async (
  deps: DevicePageDeps,
  pending: PendingDeviceRequest,
  { allowed: isApproved, requestId }: { readonly allowed: boolean; readonly requestId: string },
): Promise<PageAnswer> => {
  const { deviceId, session } = pending;
  const { tenantId, principalId } = session;
  const remembered = isApproved ? await rememberConsent(deps, pending, requestId) : right(undefined);
  if (isLeft(remembered)) return unavailablePage(remembered.left.detail);
  const decided = await handle(deps, deviceRequest, {
    stream: deviceRequestStream(tenantId, deviceId),
    command: answerCommandOf(deps, pending, isApproved),
    commandId: deps.random.uuid(),
    tenant: tenantId,
    actor: principalId,
    correlationId: requestId,
  });
  if (!isLeft(decided)) return resultPage(isApproved);
  return decided.left.kind === 'fault' ? unavailablePage(decided.left.detail) : userCodePage(session, true);
};

const handleAnswer = async (
  deps: DevicePageDeps,
  request: RouteRequest<unknown, unknown, Fields>,
): Promise<PageAnswer> => {
  const { body: fields, headers, requestId } = request;
  const session = await requireVerificationSession(deps, {}, request);
  if (isLeft(session)) return session.left;
  const meant = checkCsrf(fields, { token: session.right, headers, browsers: deps.browsers });
  if (isLeft(meant)) return meant.left;
  const pending = await findDeviceRequest(deps, session.right, { typed: fields.user_code, headers });
  if (isLeft(pending)) return pending.left;
  const { decision } = fields;
  if (decision !== 'allow' && decision !== 'deny') return approvalPage(session.right, pending.right);
  if (decision === 'allow' && fields.shown !== clientFingerprint(pending.right.application))
    return approvalPage(session.right, pending.right, true);
  return recordAnswer(deps, pending.right, { allowed: decision === 'allow', requestId });
};

const commonRoute = {
  path: '/device',
  access: 'public',
  page: true,
  answers: { 200: { description: 'A page.' } },
} as const;

export const devicePageRoute = route<DevicePageDeps>()({
  ...commonRoute,
  method: 'get',
  operation: 'showDevice',
  summary: 'Enter the code of a device',
  query: LooseFields,
  handle: showVerification,
});

export const deviceRoute = route<DevicePageDeps>()({
  ...commonRoute,
  method: 'post',
  operation: 'answerDevice',
  summary: 'Answer the request of a device',
  body: LooseFields,
  bodyType: 'form',
  handle: handleAnswer,
});
