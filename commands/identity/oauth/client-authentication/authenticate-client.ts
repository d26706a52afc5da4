/** Client authentication of all OAuth endpoints: an application, or a principal by its credential. */
import { type Either, isLeft } from 'fp-ts/Either';
import type { JsonAnswer } from '../../../../infra/server/http/routing/route';
import type { ClientSource } from '../../clients/load-client';
import { isMetadataUrl } from '../../clients/metadata-document';
import type { PrincipalSource } from '../../principals/load-principal';
import { type ApplicationProofs, authenticateApplication } from './authenticate-application';
import { authenticateCredential } from './authenticate-credential';
import type { AuthenticatedClient, ClientAuthenticationRequest, ClientProof } from './authenticated-client';
import { readClientCredentials } from './presented-credentials';

export interface ClientDeps extends ClientSource, PrincipalSource, ApplicationProofs {}

export const authenticateClient = async (
  deps: ClientDeps,
  { parameters, authorization, ...rest }: ClientAuthenticationRequest,
): Promise<Either<JsonAnswer, AuthenticatedClient>> => {
  const presented = readClientCredentials(parameters, authorization);
  if (isLeft(presented)) return presented;
  const proof: ClientProof = { ...rest, presented: presented.right };
  const { clientId } = presented.right;
  return clientId.includes('~') || isMetadataUrl(clientId)
    ? authenticateApplication(deps, proof)
    : authenticateCredential(deps, proof);
};
