/** Why a sign-in was refused, for the list of refused requests. The page names less: it does not reveal which logins exist. */
import type { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import type { PageAnswer } from '../../../infra/server/http/routing/route';

/** A person that exists. A tenant that only the request names is left out: names made up by strangers would fill the list's store. */
interface NamedPerson {
  readonly tenantId: TenantId;
  readonly principalId: PrincipalId;
}

export type RefusedSignIn = Required<Pick<PageAnswer, 'refused'>>;

export const refusedSignIn = (reason: string, named?: NamedPerson): RefusedSignIn => ({
  refused: {
    code: 'sign-in-refused',
    reason,
    ...(named === undefined ? {} : { tenantId: named.tenantId, principalId: named.principalId }),
  },
});

/** Too many wrong passwords or codes. The console shows on the person's page that sign-in is limited. */
export const limitedSignIn = (reason: string, named?: NamedPerson): RefusedSignIn => ({
  refused: { ...refusedSignIn(reason, named).refused, code: 'sign-in-limited' },
});
