/** How a client hears of the outcome: where it was proven to be, with who answers (RFC 9207), by what it asked to be told by. */
import type {
  AuthorizationError,
  AuthorizationRequest,
} from '../../../../domain/identity/authorization/authorization-request';
import type { PageAnswer } from '../../../../infra/http/route';
import { html } from '../../pages/html';
import { onward, page, redirect } from '../../pages/page';

export interface ResponseTarget extends Pick<AuthorizationRequest, 'redirectUri' | 'responseMode' | 'state'> {
  readonly issuer: string;
  /** A form of ours led here: what a browser may do after it is held against the form's page. */
  readonly afterForm: boolean;
}

type ResponseParameters = { readonly [name: string]: string };

const withParameters = (address: string, fields: ResponseParameters): string =>
  `${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams(fields)}`;

/** A browser posts it by itself only with a script, and our pages have none: the person does. */
const formPostPage = ({ redirectUri }: ResponseTarget, fields: ResponseParameters): PageAnswer => {
  const hidden = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return page({
    title: 'Back to the application',
    body: html`<form class="form" method="post" action="${redirectUri}">${hidden}<button class="button primary">Continue</button></form>`,
    formTargets: [new URL(redirectUri).origin],
  });
};

const authorizationResponse = (target: ResponseTarget, fields: ResponseParameters): PageAnswer => {
  const all = { ...fields, ...(target.state === null ? {} : { state: target.state }), iss: target.issuer };
  if (target.responseMode === 'form_post' && target.redirectUri.startsWith('http')) return formPostPage(target, all);
  const location = withParameters(target.redirectUri, all);
  return target.afterForm ? onward(location) : redirect(location);
};

export const codeResponse = (target: ResponseTarget, code: string): PageAnswer =>
  authorizationResponse(target, { code });

export const errorResponse = (target: ResponseTarget, { error, description }: AuthorizationError): PageAnswer =>
  authorizationResponse(target, { error, error_description: description });
