/** Password field with a button that shows what was typed; the page includes its script (`passwords`). */
import { type Html, html } from './html';

interface PasswordField {
  readonly label: string;
  /** For password managers (HTML, autofill field names). */
  readonly autocomplete: 'current-password' | 'new-password';
  readonly minLength?: number;
  readonly maxLength: number;
  readonly hint?: string;
  /** The first field of the page. */
  readonly isFocused?: boolean;
}

export const passwordField = ({
  label,
  autocomplete,
  minLength,
  maxLength,
  hint,
  isFocused,
}: PasswordField): Html => html`
<div class="field"><label for="password">${label}</label>
<div class="with-button"><input id="password" name="password" type="password" autocomplete="${autocomplete}"${minLength !== undefined && html` minlength="${String(minLength)}"`} maxlength="${String(maxLength)}" required${hint !== undefined && html` aria-describedby="password-hint"`}${isFocused === true && html` autofocus`}>
<button type="button" class="button small" data-shows="password" aria-controls="password" aria-label="Show what is typed" hidden>Show</button></div>
${hint !== undefined && html`<p class="hint" id="password-hint">${hint}</p>`}</div>`;
