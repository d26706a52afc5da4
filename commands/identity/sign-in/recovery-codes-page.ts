/** Recovery codes as they are shown: this once. */
import type { PageAnswer } from '../../../infra/http/route';
import { html } from '../pages/html';
import { page } from '../pages/page';

export const recoveryCodesPage = (
  codes: readonly string[],
  next: string,
  cookies: readonly string[] = [],
): PageAnswer =>
  page({
    title: 'Keep these codes',
    cookies,
    body: html`<p>Each of them lets you in once, with your password, when your authenticator app is lost. They are shown only here and now;
those from before are void.</p>
<ul class="code" data-recovery>${codes.map((code) => html`<li>${code}</li>`)}</ul>
<p class="hint">Print them, or keep them where you keep passwords: not on the phone that the app is on.</p>
<p><a class="button primary wide" href="${next}">I have kept them</a></p>`,
  });
