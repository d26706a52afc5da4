/** What a pasted text is: an access token, a refresh token or the id of a token. Read only to show whose it is; the server verifies it. */

export type PresentedToken =
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'jti'; readonly jti: string }
  | { readonly kind: 'refresh'; readonly token: string }
  | { readonly kind: 'access'; readonly token: string; readonly claims: ReadClaims };

/** Undefined: the token has no such claim. */
export interface ReadClaims {
  readonly jti: string | undefined;
  readonly sub: string | undefined;
  readonly clientId: string | undefined;
  readonly expiresAt: string | undefined;
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const jwt = /^[\w-]+\.([\w-]+)\.[\w-]+$/;
/** `tenant.family.number.secret` */
const refreshToken = /^[a-z0-9][a-z0-9-]*\.[\w-]+\.\d{1,9}\.[\w-]{43}$/;

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const claimsIn = (payload: string): ReadClaims | undefined => {
  try {
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));
    const read: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof read !== 'object' || read === null) return undefined;
    const { jti, sub, client_id: clientId, exp } = read as Readonly<Record<string, unknown>>;
    const expiresAt = typeof exp === 'number' && exp < 1e11 ? new Date(exp * 1_000).toISOString() : undefined;
    return { jti: textOf(jti), sub: textOf(sub), clientId: textOf(clientId), expiresAt };
  } catch {
    return undefined;
  }
};

/** Also as it stands in a header: `Authorization: Bearer …`. */
export const presentedTokenIn = (text: string): PresentedToken => {
  const token = text.trim().replace(/^(?:authorization:\s*)?(?:bearer|dpop)\s+/i, '');
  if (token === '') return { kind: 'none' };
  if (uuid.test(token)) return { kind: 'jti', jti: token };
  if (refreshToken.test(token)) return { kind: 'refresh', token };
  const payload = jwt.exec(token)?.[1];
  const claims = payload === undefined ? undefined : claimsIn(payload);
  return claims === undefined ? { kind: 'unknown' } : { kind: 'access', token, claims };
};
