/** What the endpoints about tokens have in common: a client that shows who it is, and one token (RFC 7009, RFC 7662). */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { Instant } from '../../../domain/kernel/codec';
import type { JsonAnswer, RouteRequest } from '../../../infra/http/route';
import type { Clock } from '../../../infra/ports/clock';
import { authenticateClient, type ClientDeps } from '../token/authenticate-client';
import type { AuthenticatedClient } from '../token/client';
import { type Form, formParts, oauthForm } from '../token/form';
import { refuse } from '../token/oauth-error';

export interface EndpointDeps extends ClientDeps {
  readonly clock: Clock;
  readonly issuer: string;
}

export interface Shown {
  readonly token: string;
  readonly client: AuthenticatedClient;
  readonly at: Instant;
  readonly requestId: string;
}

const described = (description: string) => ({ type: 'string', description });

export const ShownTokenForm = oauthForm('ShownTokenForm', {
  type: 'object',
  required: ['token'],
  properties: {
    token: described('An access token or a refresh token.'),
    token_type_hint: described('Either of `access_token` and `refresh_token`; which it is can be seen without.'),
    client_id: described('Here, in HTTP Basic, or in the client assertion.'),
    client_secret: described('Here, or in HTTP Basic.'),
    client_assertion_type: described('urn:ietf:params:oauth:client-assertion-type:jwt-bearer'),
    client_assertion: described('A JWT signed with a key of the client (RFC 7523).'),
  },
});

export type ShownRequest = RouteRequest<unknown, unknown, Form>;

export const shownAt = async (
  deps: EndpointDeps,
  path: string,
  { body, headers, certificate, requestId }: ShownRequest,
): Promise<Either<JsonAnswer, Shown>> => {
  const form = formParts(body);
  if (isLeft(form)) return form;
  const { parameters } = form.right;
  const at = deps.clock.now();
  const shown = {
    parameters,
    authorization: headers.authorization,
    certificate,
    endpoint: `${deps.issuer}${path}`,
    at,
  };
  const client = await authenticateClient(deps, shown);
  if (isLeft(client)) return client;
  const { token } = parameters;
  if (token === undefined) return refuse('invalid_request', 'The token is missing.');
  return right({ token, client: client.right, at, requestId });
};
