/** HTML of the /device pages. */
import type { Application } from '../../../../domain/identity/client/state';
import type { Scope } from '../../../../domain/identity/scopes';
import type { PageAnswer } from '../../../../infra/server/http/routing/route';
import { changedMeanwhile, changeNotice, clientFingerprint, type VoidConsent } from '../../consent/changed-client';
import { csrfField, type FormToken } from '../../pages/form';
import { html } from '../../pages/html';
import { page } from '../../pages/page';
import type { ApiNames } from '../../protected-apis/api-names';
import { formatUserCode } from './codes';

/** `wrong`: the entered code is unknown or expired. */
export const userCodePage = (token: FormToken, wrong: boolean): PageAnswer =>
  page({
    title: 'Allow a device',
    status: wrong ? 404 : 200,
    body: html`
${wrong && html`<div class="notice bad" role="alert"><p>No device is waiting with this code. Check it, or get a new one from the device.</p></div>`}
<p>Connects a device that you started yourself, such as a command line or a TV. Enter no code that someone sent you.</p>
<form class="form" method="post" action="/device">
${csrfField(token)}
<label class="field"><span>The code that the device shows</span>
<input name="user_code" required maxlength="20" autocomplete="off" autocapitalize="characters" spellcheck="false" placeholder="XXXX-XXXX" autofocus></label>
<button class="button primary">Continue</button>
</form>`,
  });

export interface DeviceApprovalView {
  readonly code: string;
  readonly application: Application;
  /** What the person allowed before the client changed. */
  readonly former: VoidConsent | undefined;
  readonly scopes: readonly Scope[];
  readonly audience: readonly string[];
  readonly apiNames: ApiNames;
}

export const approvalPage = (
  token: FormToken,
  { code, application, former, scopes, audience, apiNames }: DeviceApprovalView,
  isStale = false,
): PageAnswer =>
  page({
    title: `Allow ${application.name}?`,
    body: html`
${isStale && changedMeanwhile}
${changeNotice(former, application)}
<p>A device shows the code <strong>${formatUserCode(code)}</strong> and asks, as <bdi><strong>${application.name}</strong></bdi>, for your permission to:</p>
<section aria-label="What it may do"><ul>${scopes.map((scope) => html`<li>${apiNames.scope(scope)}</li>`)}</ul></section>
<section aria-label="Your answer">
<p>It may do this at <strong>${audience.map(apiNames.audience).join(', ')}</strong>.</p>
<div class="notice" role="note"><p>Continue only if you just started this yourself, and your device shows exactly this code. Stop if someone sent it to you.</p></div>
<form class="form" method="post" action="/device">
${csrfField(token)}
<input type="hidden" name="user_code" value="${code}">
<input type="hidden" name="shown" value="${clientFingerprint(application)}">
<p class="row">
<button class="button primary" name="decision" value="allow">Allow</button>
<button class="button" name="decision" value="deny">Deny</button>
</p>
</form>
</section>`,
  });

export const resultPage = (isApproved: boolean): PageAnswer =>
  page({
    title: isApproved ? 'The device is allowed' : 'The device is not allowed',
    body: isApproved
      ? html`<p>Return to the device: it continues within seconds. You can withdraw this under <a href="/account/applications">applications</a> at any time.</p>`
      : html`<p>The device gets no access. If you did not start this, someone else tried to act as you.</p>`,
  });
