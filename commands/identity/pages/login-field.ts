/** The field of the name that a person signs in with. */
import { type Html, html } from './html';

interface LoginField {
  readonly value: string;
  /** For password managers (HTML, autofill field names). */
  readonly autocomplete: 'username' | 'username webauthn';
  /** What one types there. */
  readonly hint: string;
  /** The first field of the page. */
  readonly isFocused?: boolean;
}

export const loginField = ({ value, autocomplete, hint, isFocused }: LoginField): Html => html`
<div class="field"><label for="login">Login</label>
<input id="login" name="login" value="${value}" autocomplete="${autocomplete}" autocapitalize="none" spellcheck="false" maxlength="200" required aria-describedby="login-hint"${isFocused === true && html` autofocus`}>
<p class="hint" id="login-hint">${hint}</p></div>`;
