/** Where a person goes with the code that a device shows. */
import type { TenantId } from '../../../domain/kernel/ids';
import { writeUserCode } from './user-code';

export interface Pages {
  readonly issuer: string;
  /** Where somebody signs in who does not say where. */
  readonly firstSignIn: { readonly tenantId: TenantId };
}

/** `code`: shown already, so that it needs no typing. */
export const verificationUri = ({ issuer, firstSignIn }: Pages, tenantId: TenantId, code: string | null): string => {
  const query = new URLSearchParams();
  if (code !== null) query.set('user_code', writeUserCode(code));
  if (tenantId !== firstSignIn.tenantId) query.set('tenant', tenantId);
  return query.size === 0 ? `${issuer}/device` : `${issuer}/device?${query}`;
};
