/** Input codec and defaults of client metadata. */
import { type Either, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import {
  ClientAuthentication,
  type ClientMetadata,
  clientMetadata,
  GrantType,
  type IdTokenAlgorithm,
  PkceRequirement,
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
    backchannelLogoutUri: others.backchannelLogoutUri,
    backchannelLogoutSessionRequired: t.boolean,
    authentication: ClientAuthentication,
    exactAuthentication: t.boolean,
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
    pkce: PkceRequirement,
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
  backchannelLogoutUri: null,
  backchannelLogoutSessionRequired: false,
  authentication: 'client_secret_basic',
  exactAuthentication: false,
  jwks: null,
  jwksUri: null,
  tlsSubject: null,
  dpopBound: false,
  certificateBound: false,
  requirePushed: false,
  personClaimsInIdToken: false,
  fapi: false,
  pkce: 'required',
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

const idTokenAlgorithmsOf = ({ accessTokenAlgorithm }: ClientOffer): readonly IdTokenAlgorithm[] => [
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
    return reject('client-metadata-invalid', `idTokenAlgorithm must be one of ${algorithms.join(', ')}.`);
  const keys = jwks?.keys.map(parseClientKey);
  if (keys?.some((key) => key === undefined))
    return reject('client-metadata-invalid', 'jwks must contain only public keys of supported types.');
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
