/** Recovery codes: 80 random bits each, so fast hashes suffice. */
import { randomBytes } from 'node:crypto';
import type { PageAnswer } from '../../../../infra/server/http/routing/route';
import { html } from '../../pages/html';
import { page } from '../../pages/page';
import { sessionSecretHash } from '../../sessions/session-cookie';
import { base32 } from './totp';

const codeCount = 10;
const codeBytes = 10;

/** Formatted in groups. */
export const newRecoveryCodes = (): readonly string[] =>
  Array.from({ length: codeCount }, () => (base32(randomBytes(codeBytes)).match(/.{4}/g) ?? []).join('-'));

/** Ignores case and separators. */
export const recoveryHash = (code: string): string =>
  sessionSecretHash(code.toUpperCase().replaceAll(/[^A-Z2-7]/g, ''));

export const recoveryHashes = (codes: readonly string[]): readonly string[] => codes.map(recoveryHash);

export const recoveryCodesPage = (
  codes: readonly string[],
  next: string,
  cookies: readonly string[] = [],
): PageAnswer =>
  page({
    title: 'Keep these codes',
    cookies,
    body: html`<p>Each of them lets you in once, with your password, when your authenticator app is lost. You can see them only now;
earlier codes are void.</p>
<ul class="code" data-recovery>${codes.map((code) => html`<li>${code}</li>`)}</ul>
<p class="hint">Print them, or store them with your passwords, not on the phone with the app.</p>
<p><a class="button primary wide" href="${next}">I have saved them</a></p>`,
  });
