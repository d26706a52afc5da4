/** How a client hears of the outcome: where it was proven to be, with who answers (RFC 9207), by what it asked to be told by. */
import type { AuthorizationError, AuthorizationRequest } from '../../../domain/identity/authorization/request';
import type { PageAnswer } from '../../../infra/http/route';
import { html } from '../pages/html';
import { onward, page, redirect } from '../pages/page';

export interface Told extends Pick<AuthorizationRequest, 'redirectUri' | 'responseMode' | 'state'> {
  readonly issuer: string;
  /** A form of ours led here: what a browser may do after it is held against the form's page. */
  readonly afterForm: boolean;
}

type Fields = { readonly [name: string]: string };

const addressWith = (address: string, fields: Fields): string =>
  `${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams(fields)}`;

/** A browser posts it by itself only with a script, and our pages have none: the person does. */
const formOf = ({ redirectUri }: Told, fields: Fields): PageAnswer => {
  const hidden = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return page({
    title: 'Back to the application',
    body: html`<form class="form" method="post" action="${redirectUri}">${hidden}<button class="button primary">Continue</button></form>`,
    formTargets: [new URL(redirectUri).origin],
  });
};

const answered = (told: Told, fields: Fields): PageAnswer => {
  const all = { ...fields, ...(told.state === null ? {} : { state: told.state }), iss: told.issuer };
  if (told.responseMode === 'form_post' && told.redirectUri.startsWith('http')) return formOf(told, all);
  const location = addressWith(told.redirectUri, all);
  return told.afterForm ? onward(location) : redirect(location);
};

export const answerCode = (told: Told, code: string): PageAnswer => answered(told, { code });

export const answerError = (told: Told, { error, description }: AuthorizationError): PageAnswer =>
  answered(told, { error, error_description: description });
