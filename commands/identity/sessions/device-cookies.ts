/**
 * Device cookies (OWASP, "Slow down online guessing attacks with device cookies"): a browser in which the person has signed in counts its
 * wrong passwords separately, so attackers cannot block the person's password. The cookie is a random secret; its hash is stored under
 * person and security epoch, so a raised epoch ends it.
 */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import type { Random } from '../../../infra/ports/runtime/random';
import { type Problem, problemOf } from '../../../infra/server/http/problem';
import type { BrowserDeps } from './current-session';
import { sessionOwnerKey } from './current-session';
import { sessionSecretHash } from './session-cookie';

export interface DeviceDeps {
  readonly browsers: BrowserDeps;
  readonly random: Random;
}

export interface DeviceOwner {
  readonly tenantId: TenantId;
  readonly principalId: PrincipalId;
  readonly securityEpoch: number;
}

type Headers = { readonly [name: string]: string | undefined };

/** From the sign-in, not the last use: using a stolen cookie does not extend it. */
const lifeSeconds = 90 * 86_400;
/** Limit per person; the oldest is dropped first. */
const maxDevices = 20;
const secretBytes = 32;
const secretShape = /^[A-Za-z0-9_-]{43}$/;

const deviceListKey = (tenantId: TenantId, principalId: PrincipalId): string =>
  `devices:${sessionOwnerKey(tenantId, principalId)}`;

const deviceFromCookie = (
  { browsers: { cookies } }: DeviceDeps,
  headers: Headers,
  { securityEpoch }: DeviceOwner,
): string | undefined => {
  const secret = cookies.read(headers.cookie, 'device');
  return secret === undefined || !secretShape.test(secret)
    ? undefined
    : `${securityEpoch}.${sessionSecretHash(secret)}`;
};

/** Counter key of this browser; undefined: the person has not signed in here. */
export const findDevice = async (
  deps: DeviceDeps,
  headers: Headers,
  owner: DeviceOwner,
): Promise<Either<Problem, string | undefined>> => {
  const device = deviceFromCookie(deps, headers, owner);
  if (device === undefined) return right(undefined);
  const devices = await deps.browsers.live.of(deviceListKey(owner.tenantId, owner.principalId));
  if (isLeft(devices)) return left(problemOf(devices.left, {}));
  return right(devices.right.includes(device) ? device : undefined);
};

/** Returns the cookie to set and ends the previous secret, so that a stolen copy ends, too. */
export const rememberDevice = async (
  deps: DeviceDeps,
  headers: Headers,
  owner: DeviceOwner,
): Promise<Either<Problem, string>> => {
  const { live, cookies } = deps.browsers;
  const register = deviceListKey(owner.tenantId, owner.principalId);
  const devices = await live.of(register);
  if (isLeft(devices)) return left(problemOf(devices.left, {}));
  const before = deviceFromCookie(deps, headers, owner);
  const others = devices.right.filter((device) => device !== before);
  const excess = others.slice(0, Math.max(0, others.length + 1 - maxDevices));
  for (const device of [...devices.right.filter((one) => one === before), ...excess]) {
    const ended = await live.end(register, device);
    if (isLeft(ended)) return left(problemOf(ended.left, {}));
  }
  const secret = deps.random.token(secretBytes);
  const begun = await live.begin(register, `${owner.securityEpoch}.${sessionSecretHash(secret)}`, lifeSeconds * 1_000);
  return isLeft(begun) ? left(problemOf(begun.left, {})) : right(cookies.write('device', secret, lifeSeconds));
};

/** Ends all device cookies of the person; their browsers count as unknown until the next sign-in. */
export const forgetDevices = async (
  { live }: BrowserDeps,
  { tenantId, principalId }: Pick<DeviceOwner, 'tenantId' | 'principalId'>,
): Promise<Either<Problem, void>> => {
  const register = deviceListKey(tenantId, principalId);
  const devices = await live.of(register);
  if (isLeft(devices)) return left(problemOf(devices.left, {}));
  for (const device of devices.right) {
    const ended = await live.end(register, device);
    if (isLeft(ended)) return left(problemOf(ended.left, {}));
  }
  return right(undefined);
};
