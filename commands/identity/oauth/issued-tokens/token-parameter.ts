/** Input of introspection and revocation: an authenticated client and one token (RFC 7009, RFC 7662). */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { Instant } from '../../../../domain/kernel/codec';
import type { Clock } from '../../../../infra/ports/runtime/clock';
import type { JsonAnswer, RouteRequest } from '../../../../infra/server/http/routing/route';
import { authenticateClient, type ClientDeps } from '../client-authentication/authenticate-client';
import type { AuthenticatedClient } from '../client-authentication/authenticated-client';
import { oauthFailure } from '../token/oauth-error';
import { type Form, oauthForm, parseForm } from '../token/oauth-form';

export interface EndpointDeps extends ClientDeps {
  readonly clock: Clock;
  readonly issuer: string;
}

export interface TokenParameterRequest {
  readonly token: string;
  readonly client: AuthenticatedClient;
  readonly at: Instant;
  readonly requestId: string;
}

const described = (description: string) => ({ type: 'string', description });

export const TokenParameterForm = oauthForm('ShownTokenForm', {
  type: 'object',
  required: ['token'],
  properties: {
    token: described('An access token or a refresh token.'),
    token_type_hint: described('A hint: `access_token` or `refresh_token` (RFC 7009). Not needed.'),
    client_id: described('Client id: here, in HTTP Basic, or in the client assertion.'),
    client_secret: described('Client secret: here, or in HTTP Basic.'),
    client_assertion_type: described('urn:ietf:params:oauth:client-assertion-type:jwt-bearer'),
    client_assertion: described('A JWT signed with a key of the client (RFC 7523).'),
  },
});

export type TokenParameterHttpRequest = RouteRequest<unknown, unknown, Form>;

export const readTokenParameter = async (
  deps: EndpointDeps,
  path: string,
  { body, headers, certificate, requestId }: TokenParameterHttpRequest,
): Promise<Either<JsonAnswer, TokenParameterRequest>> => {
  const form = parseForm(body);
  if (isLeft(form)) return form;
  const { parameters } = form.right;
  const at = deps.clock.now();
  const credentials = {
    parameters,
    authorization: headers.authorization,
    certificate,
    endpoint: `${deps.issuer}${path}`,
    at,
  };
  const client = await authenticateClient(deps, credentials);
  if (isLeft(client)) return client;
  const { token } = parameters;
  if (token === undefined) return oauthFailure('invalid_request', 'The token is missing.');
  return right({ token, client: client.right, at, requestId });
};
