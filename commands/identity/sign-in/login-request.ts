import type { SignInPolicy } from '../../../domain/identity/sign-in-policy/decider';
import { TenantId } from '../../../domain/kernel/ids';
import { beginConsolePath } from '../../../infra/server/http/identity/console-paths';
import type { Fields } from '../pages/form';
import { type Html, html } from '../pages/html';
import { maxSealedLength } from '../sealed-text';
import type { CurrentSession } from '../sessions/current-session';

/** Parameters of a sign-in, carried in URLs and forms and validated on each page. `continue` is always an own path. */
const continuePath = /^\/(?:oauth\/(?:authorize|logout)|sign-in\/recover|account|device|consent|console)(?=[/?]|$)/;

/** Of an authorization request whose opaque values are as long as they may be (`maxSealedLength`). */
export const maxContinueLength = maxSealedLength + 256;

/** The console; it redirects people without rights in it to their account. */
export const defaultContinuePath = beginConsolePath;

/** A second slash or a backslash would start a host name. */
const safeContinuePath = (path: string | undefined, otherwise: string = defaultContinuePath): string => {
  if (path === undefined || path.length > maxContinueLength || !continuePath.test(path)) return otherwise;
  if (/[\\\s\p{Cc}]/u.test(path) || path.startsWith('//')) return otherwise;
  const url = new URL(path, 'https://septet.invalid');
  if (url.origin !== 'https://septet.invalid' || !continuePath.test(url.pathname)) return otherwise;
  return `${url.pathname}${url.search}`;
};

export interface LoginRequest {
  readonly tenantId: TenantId;
  /** An own path. */
  readonly continue: string;
  readonly prompt: string | undefined;
  /** Maximum seconds since authentication. */
  readonly maxAge: number | undefined;
  /** `mfa`: requires a second factor, whatever the tenant's rules. */
  readonly acr: 'mfa' | undefined;
  readonly hint: string;
}

const maxHintLength = 320;

export const readLoginRequest = (fields: Fields, otherwise: TenantId): LoginRequest => {
  const { tenant, max_age: age = '', login_hint: hint = '' } = fields;
  return {
    tenantId: TenantId.is(tenant) ? tenant : otherwise,
    continue: safeContinuePath(fields.continue),
    prompt: fields.prompt,
    maxAge: /^\d{1,9}$/.test(age) ? Number(age) : undefined,
    acr: fields.acr === 'mfa' ? 'mfa' : undefined,
    hint: hint.slice(0, maxHintLength),
  };
};

/** Names the tenant unless it is the default one. */
export const loginPath = (tenantId: TenantId, first: TenantId): string =>
  tenantId === first ? '/sign-in' : `/sign-in?${new URLSearchParams({ tenant: tenantId })}`;

const hiddenField = (name: string, value: string | number | undefined): Html | false =>
  value !== undefined && html`<input type="hidden" name="${name}" value="${value}">`;

/** Hidden fields that repeat the request. */
export const loginRequestFields = ({ tenantId, continue: path, prompt, maxAge, acr }: LoginRequest): Html => html`
${hiddenField('tenant', tenantId)}
${hiddenField('continue', path)}
${hiddenField('prompt', prompt)}
${hiddenField('max_age', maxAge)}
${hiddenField('acr', acr)}`;

/** Whether an existing session is not enough. */
export const requiresReauthentication = ({ prompt, maxAge, acr }: LoginRequest): boolean =>
  prompt === 'login' || maxAge !== undefined || acr === 'mfa';

/** Whether the session satisfies the request. */
export const satisfies = (
  session: CurrentSession,
  { tenantId, prompt, maxAge, acr }: LoginRequest,
  now: string,
): boolean => {
  if (session.tenantId !== tenantId || prompt === 'login' || prompt === 'select_account') return false;
  if (acr === 'mfa' && !session.methods.includes('mfa')) return false;
  return maxAge === undefined || Date.parse(now) - Date.parse(session.authenticatedAt) <= maxAge * 1000;
};

/** Whether two factors are required. */
export const requiresTwoFactors = ({ rules }: SignInPolicy, acr: LoginRequest['acr']): boolean =>
  acr === 'mfa' || rules.mfa === 'required';

/** Second factor that a password needs; `passkey`: the person has a passkey, which suffices alone. */
export const requiredSecondFactor = (
  policy: SignInPolicy,
  { totp, passkeys }: { readonly totp: boolean; readonly passkeys: boolean },
  acr: LoginRequest['acr'],
): 'none' | 'totp' | 'enrol' | 'passkey' => {
  const { rules } = policy;
  const required = requiresTwoFactors(policy, acr);
  if (totp) return required || rules.mfa === 'enrolled' ? 'totp' : 'none';
  // Only if the tenant allows passkeys.
  if (passkeys && rules.passkeys) return required || rules.mfa === 'enrolled' ? 'passkey' : 'none';
  return required ? 'enrol' : 'none';
};
