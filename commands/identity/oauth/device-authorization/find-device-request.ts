/** Finds the pending device request of a user code. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { deviceRequest } from '../../../../domain/identity/device-authorization/decider';
import { deviceRequestStream } from '../../../../domain/identity/device-authorization/events';
import type { DeviceRequest } from '../../../../domain/identity/device-authorization/state';
import type { ClientId, DeviceRequestId } from '../../../../domain/identity/ids';
import { grantableScopes } from '../../../../domain/identity/scopes';
import { TenantId } from '../../../../domain/kernel/ids';
import type { AttemptLimiter } from '../../../../infra/ports/identity/attempt-limiter';
import type { PageAnswer, RouteRequest } from '../../../../infra/server/http/routing/route';
import { loadStream } from '../../../kernel/load-stream';
import type { ClientSource } from '../../clients/load-client';
import { loadVoidConsent } from '../../consent/changed-client';
import type { Fields } from '../../pages/form';
import { failurePage, redirect } from '../../pages/page';
import { loadPrincipal } from '../../principals/load-principal';
import { loadApiNames } from '../../protected-apis/api-names';
import { type CurrentSession, currentSession, type SessionSource } from '../../sessions/current-session';
import { unavailablePage, verifyClient } from '../authorization/verified-client';
import { sourceIpOf } from '../token/issuance-log';
import { deviceIdFrom, formatUserCode, parseUserCode } from './codes';
import { checkUserCodeAttempt } from './user-code-limit';
import { type DeviceApprovalView, userCodePage } from './verification-pages';

export interface FindDeviceDeps extends SessionSource, ClientSource {
  readonly people: { readonly attempts: AttemptLimiter };
}

type PageRequest = Pick<RouteRequest<unknown, unknown, unknown>, 'headers' | 'requestId'>;

export interface PendingDeviceRequest extends DeviceApprovalView {
  readonly deviceId: DeviceRequestId;
  readonly clientId: ClientId;
  readonly session: CurrentSession;
}

const redirectToLogin = ({ user_code: typed, tenant }: Fields): PageAnswer => {
  const code = parseUserCode(typed);
  const more = {
    ...(code === undefined ? {} : { user_code: formatUserCode(code) }),
    ...(TenantId.is(tenant) ? { tenant } : {}),
  };
  const query = new URLSearchParams(more as Record<string, string>).toString();
  const signInQuery = new URLSearchParams({ continue: query === '' ? '/device' : `/device?${query}` });
  if (TenantId.is(tenant)) signInQuery.set('tenant', tenant);
  return redirect(`/sign-in?${signInQuery}`);
};

/** A tenant in the URL determines where to sign in. */
export const requireVerificationSession = async (
  deps: FindDeviceDeps,
  fields: Fields,
  { headers }: PageRequest,
): Promise<Either<PageAnswer, CurrentSession>> => {
  const current = await currentSession(deps, headers);
  if (isLeft(current)) return left(unavailablePage(current.left.problem.detail));
  const session = current.right;
  if (session === null || (fields.tenant !== undefined && fields.tenant !== session.tenantId))
    return left(redirectToLogin(fields));
  return right(session);
};

const unknownUserCode = (session: CurrentSession): Either<PageAnswer, never> => left(userCodePage(session, true));

const describeRequest = async (
  deps: FindDeviceDeps,
  session: CurrentSession,
  { request, code }: { readonly request: DeviceRequest; readonly code: string },
): Promise<Either<PageAnswer, PendingDeviceRequest>> => {
  const client = await verifyClient(deps, request.clientId);
  if (isLeft(client)) return client;
  const person = await loadPrincipal(deps, session);
  if (isLeft(person)) return left(unavailablePage(person.left.detail));
  if (person.right.kind === 'none' || person.right.principalType !== 'HUMAN') return unknownUserCode(session);
  const scopes = grantableScopes(request.scopes, person.right);
  if (scopes.length === 0)
    return left(failurePage(403, 'Nothing to allow', 'You have none of the rights that the device requests.'));
  const former = await loadVoidConsent(deps, session, client.right);
  if (isLeft(former)) return left(unavailablePage(former.left.detail));
  const apiNames = await loadApiNames(deps, session.tenantId);
  if (isLeft(apiNames)) return left(unavailablePage(apiNames.left.detail));
  const { deviceId, audience, clientId } = request;
  const { application } = client.right;
  const named = { former: former.right, scopes, audience, apiNames: apiNames.right };
  return right({ deviceId, clientId, session, code, application, ...named });
};

/** Every lookup counts as an attempt. */
export const findDeviceRequest = async (
  deps: FindDeviceDeps,
  session: CurrentSession,
  { typed, headers }: { readonly typed: string | undefined; readonly headers: PageRequest['headers'] },
): Promise<Either<PageAnswer, PendingDeviceRequest>> => {
  const tooMany = await checkUserCodeAttempt(deps.people.attempts, session, sourceIpOf(headers['x-forwarded-for']));
  if (tooMany !== undefined) return left(tooMany);
  const code = parseUserCode(typed);
  if (code === undefined) return unknownUserCode(session);
  const deviceId = deviceIdFrom(session.tenantId, code);
  const loadedState = await loadStream(deps, deviceRequest, deviceRequestStream(session.tenantId, deviceId));
  if (isLeft(loadedState)) return left(unavailablePage(loadedState.left.detail));
  const state = loadedState.right;
  if (state.kind !== 'waiting' || deps.clock.now() >= state.request.expiresAt) return unknownUserCode(session);
  return describeRequest(deps, session, { request: state.request, code });
};
