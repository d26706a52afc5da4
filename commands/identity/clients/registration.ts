/** What is said of a client when it is registered or changed, and what is meant where nothing is said. */
import { type Either, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import {
  ClientAuthentication,
  type ClientMetadata,
  clientMetadata,
  GrantType,
} from '../../../domain/identity/client/events';
import { record } from '../../../domain/kernel/codec';
import { type Rejection, reject } from '../../../domain/kernel/rejection';
import { clientKeyOf } from './public-keys';

const { name, scopes, redirectUris, audiences, servicePrincipalId, ...others } = clientMetadata;

export const Registration = record(
  'ClientRegistration',
  { name, scopes, grantTypes: t.array(GrantType, 'GrantTypes') },
  {
    redirectUris,
    postLogoutRedirectUris: redirectUris,
    authentication: ClientAuthentication,
    jwks: record('ClientKeys', { keys: t.array(t.UnknownRecord, 'Keys') }),
    jwksUri: others.jwksUri,
    tlsSubject: others.tlsSubject,
    audiences,
    dpopBound: t.boolean,
    certificateBound: t.boolean,
    requirePushed: t.boolean,
    firstParty: t.boolean,
    servicePrincipalId,
    refreshIdleSeconds: others.refreshIdleSeconds,
    refreshAbsoluteSeconds: others.refreshAbsoluteSeconds,
  },
);
export type Registration = t.TypeOf<typeof Registration>;

const day = 86_400;

const usual = {
  redirectUris: [],
  postLogoutRedirectUris: [],
  authentication: 'client_secret_basic',
  jwks: null,
  jwksUri: null,
  tlsSubject: null,
  dpopBound: false,
  certificateBound: false,
  requirePushed: false,
  firstParty: false,
  servicePrincipalId: null,
  refreshIdleSeconds: 7 * day,
  refreshAbsoluteSeconds: 30 * day,
} as const;

type Read = Either<Rejection<'client-metadata-invalid'>, ClientMetadata>;

export const metadataOf = ({ jwks, ...said }: Registration, known: readonly string[]): Read => {
  const keys = jwks?.keys.map(clientKeyOf);
  if (keys?.some((key) => key === undefined))
    return reject('client-metadata-invalid', 'jwks has something else than public keys of a kind that is known.');
  const held = keys === undefined ? null : { keys: keys.filter((key) => key !== undefined) };
  const { redirectUris: addresses = [], postLogoutRedirectUris = [], audiences: targets = known.slice(0, 1) } = said;
  return right({ ...usual, ...said, redirectUris: addresses, postLogoutRedirectUris, audiences: targets, jwks: held });
};
