/** Authentication and authorization of calls. */
import type { Metadata } from '@grpc/grpc-js';
import { accessDenied, unauthenticated } from '../protocol/errors';
import { type Action, type IsAllowed, isMember } from './acl';
import { authorizationOf, type Caller, parseCredentials } from './caller';

export interface Access {
  readonly kind: 'insecure' | 'internal';
  /** Throws `UNAUTHENTICATED` for wrong credentials, also where none are required. */
  readonly callerFromMetadata: (metadata: Metadata) => Promise<Caller>;
  /** The same for an `Authorization` header. */
  readonly callerFromHeader: (authorization: string | undefined) => Promise<Caller>;
  readonly isAllowed: IsAllowed;
  /** Throws `PERMISSION_DENIED` unless the caller may do that to the stream; `$all` stands for the log. */
  readonly allow: (caller: Caller, action: Action, stream: Buffer) => void;
  /** Throws `PERMISSION_DENIED` unless the caller is in one of the groups. */
  readonly allowOperator: (caller: Caller, ...groups: readonly string[]) => void;
}

export type Authenticate = (
  login: string,
  password: string,
) => Promise<{ readonly login: string; readonly groups: readonly string[] } | undefined>;

const system: Promise<Caller> = Promise.resolve({ kind: 'system' });

/** For an insecure node: every caller may do everything. */
export const unrestrictedAccess: Access = {
  kind: 'insecure',
  callerFromMetadata: () => system,
  callerFromHeader: () => system,
  isAllowed: () => true,
  allow: () => undefined,
  allowOperator: () => undefined,
};

export const createSecureAccess = (authenticate: Authenticate, isAllowed: IsAllowed): Access => {
  const callerBy = async (authorization: string | undefined): Promise<Caller> => {
    if (authorization === undefined) return { kind: 'anonymous' };
    const credentials = parseCredentials(authorization);
    const user = credentials && (await authenticate(credentials.login, credentials.password));
    if (user === undefined) throw unauthenticated();
    return { kind: 'user', ...user };
  };
  return {
    kind: 'internal',
    callerFromMetadata: (metadata) => callerBy(authorizationOf(metadata)),
    callerFromHeader: callerBy,
    isAllowed,
    allow: (caller, action, stream) => {
      if (!isAllowed(caller, action, stream)) throw accessDenied();
    },
    allowOperator: (caller, ...groups) => {
      if (!isMember(caller, groups)) throw accessDenied();
    },
  };
};
