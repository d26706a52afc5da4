/** Which device waits with the code that a signed-in person typed. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { grantable } from '../../../domain/identity/authorization/allowed';
import { deviceRequest } from '../../../domain/identity/device/decider';
import type { DeviceAsked } from '../../../domain/identity/device/state';
import type { ClientId, DeviceRequestId } from '../../../domain/identity/ids';
import { deviceRequestStream } from '../../../domain/identity/streams';
import { TenantId } from '../../../domain/kernel/ids';
import type { PageAnswer, RouteRequest } from '../../../infra/http/route';
import type { Attempts } from '../../../infra/ports/attempts';
import { loadStream } from '../../kernel/load-stream';
import { findClient, unavailablePage } from '../authorize/proven-client';
import type { ClientSource } from '../clients/load-client';
import type { Fields } from '../pages/form';
import { failurePage, redirect } from '../pages/page';
import { loadPrincipal } from '../principals/load-principal';
import type { SessionSource } from '../sessions/browsers';
import { type CurrentSession, currentSession } from '../sessions/current';
import { sourceIpOf } from '../token/record-issuance';
import { takeGuess } from './guesses';
import { typePage, type Waiting } from './pages';
import { deviceIdOf, readUserCode, writeUserCode } from './user-code';

export interface FindDeviceDeps extends SessionSource, ClientSource {
  readonly people: { readonly attempts: Attempts };
}

type Arrived = Pick<RouteRequest<unknown, unknown, unknown>, 'headers' | 'requestId'>;

export interface Found extends Waiting {
  readonly deviceId: DeviceRequestId;
  readonly clientId: ClientId;
  readonly session: CurrentSession;
}

const toSignIn = ({ user_code: typed, tenant }: Fields): PageAnswer => {
  const code = readUserCode(typed);
  const more = {
    ...(code === undefined ? {} : { user_code: writeUserCode(code) }),
    ...(TenantId.is(tenant) ? { tenant } : {}),
  };
  const query = new URLSearchParams(more as Record<string, string>).toString();
  const asked = new URLSearchParams({ continue: query === '' ? '/device' : `/device?${query}` });
  if (TenantId.is(tenant)) asked.set('tenant', tenant);
  return redirect(`/sign-in?${asked}`);
};

/** A tenant that the address names is the one to be signed in to. */
export const sessionOf = async (
  deps: FindDeviceDeps,
  fields: Fields,
  { headers }: Arrived,
): Promise<Either<PageAnswer, CurrentSession>> => {
  const current = await currentSession(deps, headers);
  if (isLeft(current)) return left(unavailablePage(current.left.problem.detail));
  const session = current.right;
  if (session === null || (fields.tenant !== undefined && fields.tenant !== session.tenantId))
    return left(toSignIn(fields));
  return right(session);
};

const noneWaits = (session: CurrentSession): Either<PageAnswer, never> => left(typePage(session, true));

const describe = async (
  deps: FindDeviceDeps,
  session: CurrentSession,
  { asked, code }: { readonly asked: DeviceAsked; readonly code: string },
): Promise<Either<PageAnswer, Found>> => {
  const client = await findClient(deps, asked.clientId);
  if (isLeft(client)) return client;
  const person = await loadPrincipal(deps, session);
  if (isLeft(person)) return left(unavailablePage(person.left.detail));
  if (person.right.kind === 'none' || person.right.principalType !== 'HUMAN') return noneWaits(session);
  const scopes = grantable(asked.scopes, person.right);
  if (scopes.length === 0)
    return left(failurePage(403, 'Nothing to allow', 'You may do nothing of what the device asks for.'));
  const { deviceId, audience, clientId } = asked;
  return right({ deviceId, clientId, session, code, clientName: client.right.application.name, scopes, audience });
};

/** Each look at a code is a guess. */
export const findDevice = async (
  deps: FindDeviceDeps,
  session: CurrentSession,
  { typed, headers }: { readonly typed: string | undefined; readonly headers: Arrived['headers'] },
): Promise<Either<PageAnswer, Found>> => {
  const tooMany = await takeGuess(deps.people.attempts, session, sourceIpOf(headers['x-forwarded-for']));
  if (tooMany !== undefined) return left(tooMany);
  const code = readUserCode(typed);
  if (code === undefined) return noneWaits(session);
  const deviceId = deviceIdOf(session.tenantId, code);
  const found = await loadStream(deps, deviceRequest, deviceRequestStream(session.tenantId, deviceId));
  if (isLeft(found)) return left(unavailablePage(found.left.detail));
  const state = found.right;
  if (state.kind !== 'waiting' || deps.clock.now() >= state.asked.expiresAt) return noneWaits(session);
  return describe(deps, session, { asked: state.asked, code });
};
