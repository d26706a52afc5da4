/** What a sign-in is for: carried from page to page in the address and in forms, and believed only as far as it is harmless. */

import type { SignInPolicy } from '../../../domain/identity/sign-in-policy/decider';
import { TenantId } from '../../../domain/kernel/ids';
import { ownPath } from '../pages/continue';
import type { Fields } from '../pages/form';
import { type Html, html } from '../pages/html';
import type { CurrentSession } from '../sessions/current';

export interface Purpose {
  readonly tenantId: TenantId;
  /** A path of our own. */
  readonly continue: string;
  readonly prompt: string | undefined;
  /** Seconds since the person proved themselves, at most. */
  readonly maxAge: number | undefined;
  /** `mfa`: a second factor, whatever the tenant's rules say. */
  readonly acr: 'mfa' | undefined;
  readonly hint: string;
}

const longestHint = 200;

export const purposeOf = (fields: Fields, otherwise: TenantId): Purpose => {
  const { tenant, max_age: age = '', login_hint: hint = '' } = fields;
  return {
    tenantId: TenantId.is(tenant) ? tenant : otherwise,
    continue: ownPath(fields.continue),
    prompt: fields.prompt,
    maxAge: /^\d{1,9}$/.test(age) ? Number(age) : undefined,
    acr: fields.acr === 'mfa' ? 'mfa' : undefined,
    hint: hint.slice(0, longestHint),
  };
};

/** Whose page it is, where it is not of the tenant that is asked first. */
export const signInPath = (tenantId: TenantId, first: TenantId): string =>
  tenantId === first ? '/sign-in' : `/sign-in?${new URLSearchParams({ tenant: tenantId })}`;

const hidden = (name: string, value: string | number | undefined): Html | false =>
  value !== undefined && html`<input type="hidden" name="${name}" value="${value}">`;

/** For forms, which send it on. */
export const purposeFields = ({ tenantId, continue: path, prompt, maxAge, acr }: Purpose): Html => html`
${hidden('tenant', tenantId)}
${hidden('continue', path)}
${hidden('prompt', prompt)}
${hidden('max_age', maxAge)}
${hidden('acr', acr)}`;

/** Whether the person is to prove themselves now, whoever knew them before. */
export const wantsProof = ({ prompt, maxAge, acr }: Purpose): boolean =>
  prompt === 'login' || maxAge !== undefined || acr === 'mfa';

/** Whether who is signed in need not prove anything more. */
export const suffices = (session: CurrentSession, { tenantId, prompt, maxAge, acr }: Purpose, now: string): boolean => {
  if (session.tenantId !== tenantId || prompt === 'login' || prompt === 'select_account') return false;
  if (acr === 'mfa' && !session.methods.includes('mfa')) return false;
  return maxAge === undefined || Date.parse(now) - Date.parse(session.authenticatedAt) <= maxAge * 1000;
};

/** Whether one factor is not enough, whoever proved it. */
export const needsTwoFactors = ({ rules }: SignInPolicy, acr: Purpose['acr']): boolean =>
  acr === 'mfa' || rules.mfa === 'required';

/** What a password needs beside it: nothing, or what the person has; `passkey` where they have that, which is enough alone. */
export const secondFactor = (
  policy: SignInPolicy,
  { totp, passkeys }: { readonly totp: boolean; readonly passkeys: boolean },
  acr: Purpose['acr'],
): 'none' | 'totp' | 'enrol' | 'passkey' => {
  const { rules } = policy;
  const asked = needsTwoFactors(policy, acr);
  if (totp) return asked || rules.mfa === 'enrolled' ? 'totp' : 'none';
  // Where they are not allowed, nobody can be sent to theirs.
  if (passkeys && rules.passkeys) return asked || rules.mfa === 'enrolled' ? 'passkey' : 'none';
  return asked ? 'enrol' : 'none';
};
