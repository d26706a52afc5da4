/** Authorization responses: by redirect or form_post, with `iss` (RFC 9207). */
import type {
  AuthorizationError,
  AuthorizationRequest,
} from '../../../../domain/identity/authorization/authorization-request';
import type { PageAnswer } from '../../../../infra/server/http/routing/route';
import { html } from '../../pages/html';
import { onward, page, redirect } from '../../pages/page';

export interface ResponseTarget extends Pick<AuthorizationRequest, 'redirectUri' | 'responseMode' | 'state'> {
  readonly issuer: string;
  /** The browser comes from a form of ours, so `form-action` of that page applies to redirects. */
  readonly afterForm: boolean;
}

type ResponseParameters = { readonly [name: string]: string };

const withParameters = (address: string, fields: ResponseParameters): string =>
  `${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams(fields)}`;

/** Browsers hold redirects after a form to `form-action`, too, and applications may lead on to another origin of theirs. */
const formTargetsOf = ({ redirectUri }: ResponseTarget): readonly string[] => [
  ...new Set([new URL(redirectUri).protocol, 'https:']),
];

const formPostPage = (target: ResponseTarget, fields: ResponseParameters): PageAnswer => {
  const hidden = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return page({
    title: 'Back to the application',
    body: html`<form class="form" method="post" action="${target.redirectUri}">${hidden}<button class="button primary">Continue</button></form>`,
    submits: true,
    formTargets: formTargetsOf(target),
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
