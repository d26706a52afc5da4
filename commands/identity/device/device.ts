/** `/device` (RFC 8628 section 3.3): a person types what a device shows, sees what would be allowed, and says yes or no. */
import { isLeft, right } from 'fp-ts/Either';
import { deviceRequest } from '../../../domain/identity/device/decider';
import { deviceRequestStream } from '../../../domain/identity/streams';
import { type PageAnswer, type RouteRequest, route } from '../../../infra/http/route';
import type { Random } from '../../../infra/ports/random';
import { handle } from '../../kernel/handle';
import type { HandleDeps } from '../../kernel/request';
import { giveConsent } from '../authorize/consent-given';
import { unavailablePage } from '../authorize/proven-client';
import { checkCsrf, type Fields, LooseFields } from '../pages/form';
import { type FindDeviceDeps, type Found, findDevice, sessionOf } from './find-device';
import { answeredPage, askPage, typePage } from './pages';

export interface DevicePageDeps extends HandleDeps, FindDeviceDeps {
  readonly random: Random;
}

const show = async (deps: DevicePageDeps, request: RouteRequest<unknown, Fields, unknown>): Promise<PageAnswer> => {
  const session = await sessionOf(deps, request.query, request);
  if (isLeft(session)) return session.left;
  const { user_code: typed } = request.query;
  if (typed === undefined) return typePage(session.right, false);
  const found = await findDevice(deps, session.right, { typed, headers: request.headers });
  return isLeft(found) ? found.left : askPage(session.right, found.right);
};

const commandOf = (deps: DevicePageDeps, found: Found, allowed: boolean) => {
  const { deviceId, session, scopes } = found;
  const { principalId, sessionId, authenticatedAt, methods } = session;
  const at = deps.clock.now();
  const how = { authenticatedAt, methods: [...methods], scopes: [...scopes], approvedAt: at };
  return allowed
    ? ({ type: 'ApproveDevice', deviceId, principalId, sessionId, ...how } as const)
    : ({ type: 'DenyDevice', deviceId, principalId, at } as const);
};

/** In the person's list before the device can act on it. */
const remember = (deps: DevicePageDeps, { session, clientId, scopes, audience }: Found, requestId: string) => {
  const { tenantId, principalId } = session;
  const word = { at: deps.clock.now(), requestId, commandId: deps.random.uuid() };
  return giveConsent(deps, { tenantId, principalId, clientId }, { given: { scopes, audience }, word });
};

const decide = async (
  deps: DevicePageDeps,
  found: Found,
  { allowed, requestId }: { readonly allowed: boolean; readonly requestId: string },
): Promise<PageAnswer> => {
  const { deviceId, session } = found;
  const { tenantId, principalId } = session;
  const remembered = allowed ? await remember(deps, found, requestId) : right(undefined);
  if (isLeft(remembered)) return unavailablePage(remembered.left.detail);
  const decided = await handle(deps, deviceRequest, {
    stream: deviceRequestStream(tenantId, deviceId),
    command: commandOf(deps, found, allowed),
    commandId: deps.random.uuid(),
    tenant: tenantId,
    actor: principalId,
    correlationId: requestId,
  });
  if (!isLeft(decided)) return answeredPage(allowed);
  return decided.left.kind === 'fault' ? unavailablePage(decided.left.detail) : typePage(session, true);
};

const answer = async (deps: DevicePageDeps, request: RouteRequest<unknown, unknown, Fields>): Promise<PageAnswer> => {
  const { body: fields, headers, requestId } = request;
  const session = await sessionOf(deps, {}, request);
  if (isLeft(session)) return session.left;
  const meant = checkCsrf(fields, { token: session.right, headers, origins: deps.browsers.origins });
  if (isLeft(meant)) return meant.left;
  const found = await findDevice(deps, session.right, { typed: fields.user_code, headers });
  if (isLeft(found)) return found.left;
  const { decision } = fields;
  if (decision !== 'allow' && decision !== 'deny') return askPage(session.right, found.right);
  return decide(deps, found.right, { allowed: decision === 'allow', requestId });
};

const common = { path: '/device', access: 'public', page: true, answers: { 200: { description: 'A page.' } } } as const;

export const devicePageRoute = route<DevicePageDeps>()({
  ...common,
  method: 'get',
  operation: 'showDevice',
  summary: 'Type the code of a device',
  query: LooseFields,
  handle: show,
});

export const deviceRoute = route<DevicePageDeps>()({
  ...common,
  method: 'post',
  operation: 'answerDevice',
  summary: 'Allow a device, or do not',
  body: LooseFields,
  bodyType: 'form',
  handle: answer,
});
