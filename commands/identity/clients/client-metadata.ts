/** Input codec and defaults of client metadata. */
import { type Either, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import {
  ClientAuthentication,
  type ClientMetadata,
  clientMetadata,
  GrantType,
  type IdTokenAlgorithm,
} from '../../../domain/identity/client/events';
import { record } from '../../../domain/kernel/codec';
import { type Rejection, reject } from '../../../domain/kernel/rejection';
import { parseClientKey } from './client-jwks';

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
    idTokenAlgorithm: others.idTokenAlgorithm,
    personClaimsInIdToken: t.boolean,
    fapi: t.boolean,
    firstParty: t.boolean,
    servicePrincipalId,
    refreshIdleSeconds: others.refreshIdleSeconds,
    refreshAbsoluteSeconds: others.refreshAbsoluteSeconds,
  },
);
export type Registration = t.TypeOf<typeof Registration>;

const daySeconds = 86_400;

const defaultMetadata = {
  redirectUris: [],
  postLogoutRedirectUris: [],
  authentication: 'client_secret_basic',
  jwks: null,
  jwksUri: null,
  tlsSubject: null,
  dpopBound: false,
  certificateBound: false,
  requirePushed: false,
  personClaimsInIdToken: false,
  fapi: false,
  firstParty: false,
  servicePrincipalId: null,
  refreshIdleSeconds: 7 * daySeconds,
  refreshAbsoluteSeconds: 30 * daySeconds,
} as const;

/** What an installation offers to clients. */
export interface ClientOffer {
  /** The first is the default. */
  readonly audiences: readonly string[];
  readonly accessTokenAlgorithm: IdTokenAlgorithm;
}

export const idTokenAlgorithmsOf = ({ accessTokenAlgorithm }: ClientOffer): readonly IdTokenAlgorithm[] => [
  'RS256',
  accessTokenAlgorithm,
];

/** FAPI 2.0 forbids RS256. */
const defaultAlgorithm = ({ accessTokenAlgorithm }: ClientOffer, fapi: boolean): IdTokenAlgorithm =>
  fapi ? accessTokenAlgorithm : 'RS256';

type MetadataResult = Either<Rejection<'client-metadata-invalid'>, ClientMetadata>;

export const toClientMetadata = ({ jwks, ...fields }: Registration, offer: ClientOffer): MetadataResult => {
  const algorithms = idTokenAlgorithmsOf(offer);
  const { idTokenAlgorithm = defaultAlgorithm(offer, fields.fapi === true) } = fields;
  if (idTokenAlgorithm !== null && !algorithms.includes(idTokenAlgorithm))
    return reject('client-metadata-invalid', `idTokenAlgorithm is none of this server: ${algorithms.join(', ')}.`);
  const keys = jwks?.keys.map(parseClientKey);
  if (keys?.some((key) => key === undefined))
    return reject('client-metadata-invalid', 'jwks has something else than public keys of a kind that is known.');
  const keySet = keys === undefined ? null : { keys: keys.filter((key) => key !== undefined) };
  const {
    redirectUris: addresses = [],
    postLogoutRedirectUris = [],
    audiences: targets = offer.audiences.slice(0, 1),
  } = fields;
  return right({
    ...defaultMetadata,
    ...fields,
    redirectUris: addresses,
    postLogoutRedirectUris,
    audiences: targets,
    idTokenAlgorithm,
    jwks: keySet,
  });
};
