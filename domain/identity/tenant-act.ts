/** Tenant-wide acts require their own scope and a recent sign-in with two factors. */
import type { Either } from 'fp-ts/Either';
import { type Rejection, reject } from '../kernel/rejection';

export const tenantScope = 'tenant:write';

/** What the caller lacks, in the order of the checks. */
export type TenantActRight = 'granted' | 'scope-missing' | 'sign-in-needed';

export type TenantActRejection = 'tenant-scope-missing' | 'insufficient-user-authentication';

export const unlessTenantAct = (access: TenantActRight): Either<Rejection<TenantActRejection>, never> | undefined => {
  switch (access) {
    case 'granted':
      return undefined;
    case 'scope-missing':
      return reject('tenant-scope-missing', `This affects the whole tenant, so it needs the scope ${tenantScope}.`);
    case 'sign-in-needed':
      return reject(
        'insufficient-user-authentication',
        'This affects the whole tenant: sign in with a second factor, and send the request again within five minutes.',
      );
  }
};
