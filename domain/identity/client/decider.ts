/** Client lifecycle: registered, changed, disabled, enabled; its secrets. */
import { type Either, left, right } from 'fp-ts/Either';
import type { Instant } from '../../kernel/codec';
import type { Decider } from '../../kernel/decider';
import type { TenantId } from '../../kernel/ids';
import { type Rejection, reject } from '../../kernel/rejection';
import type { ApplicationId } from '../ids';
import { builtInScopes, isBuiltIn } from './built-in-clients';
import { type ClientEvent, type ClientLoosening, type ClientMetadata, clients } from './events';
import {
  type CallerAuthority,
  checkAuthorityOver,
  checkMetadata,
  isSameMetadata,
  type MetadataFault,
  metadataFieldsOf,
} from './metadata-rules';
import {
  type IssueClientSecret,
  issueSecret,
  type RevokeClientSecret,
  revokeAllSecrets,
  revokeSecret,
  type SecretRejection,
  usesSecrets,
} from './secrets';
import { type Application, type ClientState, describeClient, evolve } from './state';

export type { IssueClientSecret, RevokeClientSecret } from './secrets';

interface ClientCommandBase {
  readonly applicationId: ApplicationId;
}

export interface RegisterClient extends ClientCommandBase {
  readonly type: 'RegisterClient';
  readonly tenantId: TenantId;
  readonly metadata: ClientMetadata;
  readonly means: CallerAuthority;
  /** RFC 7591: the tenant's registration policy applies to the client. */
  readonly byItself?: boolean;
  readonly at: Instant;
}

/** Of a client whose id is the URL of its document, as a person allowed it something. */
export interface RecordMetadataDocument extends ClientCommandBase {
  readonly type: 'RecordMetadataDocument';
  readonly tenantId: TenantId;
  readonly metadata: ClientMetadata;
  readonly metadataUrl: string;
  readonly audiences: readonly string[];
  readonly at: Instant;
}

export interface ChangeClient extends ClientCommandBase {
  readonly type: 'ChangeClient';
  readonly metadata: ClientMetadata;
  readonly means: CallerAuthority;
  readonly at: Instant;
}

/** Only ends access, so the caller needs no authority over the client. */
export interface DisableClient extends ClientCommandBase {
  readonly type: 'DisableClient';
  readonly reason: string;
}

export interface EnableClient extends ClientCommandBase {
  readonly type: 'EnableClient';
  readonly reason: string;
  /** Scopes of the caller. */
  readonly grantable: readonly string[];
}

export type ClientCommand =
  | RegisterClient
  | RecordMetadataDocument
  | ChangeClient
  | IssueClientSecret
  | RevokeClientSecret
  | DisableClient
  | EnableClient;

export type ClientRejection = MetadataFault['code'] | 'client-differs' | 'client-unknown' | SecretRejection;

type Decision = Either<Rejection<ClientRejection>, readonly ClientEvent[]>;

const rejected = ({ code, detail }: MetadataFault): Decision => left({ kind: 'rejection', code, detail });

const register = (command: RegisterClient, state: ClientState): Decision => {
  const { applicationId, tenantId, at: createdAt } = command;
  const metadata = metadataFieldsOf(command.metadata);
  if (state.kind === 'registered')
    return isSameMetadata(state, metadata)
      ? right([])
      : reject('client-differs', 'A client with this id exists with different metadata.');
  const fault = checkMetadata(command.metadata, command.means);
  if (fault !== undefined) return rejected(fault);
  const itself: ClientEvent = { type: 'ClientRegisteredItself', data: { applicationId, metadataUrl: null } };
  return right([
    { type: 'ClientRegistered', data: { applicationId, tenantId, createdAt, ...metadata } },
    ...(command.byItself === true ? [itself] : []),
  ]);
};

const isSameSet = (one: readonly string[], other: readonly string[]): boolean => {
  const distinct = new Set(one);
  return distinct.size === new Set(other).size && other.every((value) => distinct.has(value));
};

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

/** People allowed the client something because of where answers go and how it proves itself; first-party clients have no consents. */
const voidsGrants = (state: Application, metadata: ClientMetadata): boolean =>
  state.grantTypes.some((type) => type === 'authorization_code' || type === deviceGrant) &&
  (state.authentication !== metadata.authentication ||
    (state.firstParty && !metadata.firstParty) ||
    !isSameSet(state.redirectUris, metadata.redirectUris));

const hasMore = (next: readonly string[], before: readonly string[]): boolean =>
  next.some((value) => !before.includes(value));

/** How well a client proves itself: not at all, by a shared secret, by a key. */
const proofRank = (authentication: ClientMetadata['authentication']): number => {
  if (authentication === 'none') return 0;
  return authentication === 'client_secret_basic' || authentication === 'client_secret_post' ? 1 : 2;
};

const loosenedRespects = (before: ClientMetadata, next: ClientMetadata): readonly ClientLoosening[] => {
  const isLoosened: { readonly [respect in ClientLoosening]: boolean } = {
    redirectUris: hasMore(next.redirectUris, before.redirectUris),
    grantTypes: hasMore(next.grantTypes, before.grantTypes),
    authentication: proofRank(next.authentication) < proofRank(before.authentication),
    scopes: hasMore(next.scopes, before.scopes),
    audiences: hasMore(next.audiences, before.audiences),
    senderConstraint: (before.dpopBound && !next.dpopBound) || (before.certificateBound && !next.certificateBound),
    requirePushed: before.requirePushed && !next.requirePushed,
    fapi: before.fapi && !next.fapi,
    pkce: before.pkce === 'required' && next.pkce === 'optional',
    firstParty: next.firstParty && !before.firstParty,
    servicePrincipalId: next.servicePrincipalId !== null && next.servicePrincipalId !== before.servicePrincipalId,
  };
  return (Object.keys(isLoosened) as ClientLoosening[]).filter((respect) => isLoosened[respect]);
};

const loosenings = (state: Application, metadata: ClientMetadata): readonly ClientEvent[] => {
  const respects = loosenedRespects(state, metadata);
  const { applicationId } = state;
  return respects.length === 0 ? [] : [{ type: 'ClientLoosened', data: { applicationId, respects: [...respects] } }];
};

const voidGrants = (state: Application, at: Instant): ClientEvent => ({
  type: 'ClientGrantsVoided',
  data: { applicationId: state.applicationId, at, was: describeClient(state) },
});

/** Holders of an earlier secret were never meant to act as another principal. */
const keepsSecrets = (state: Application, metadata: ClientMetadata): boolean =>
  usesSecrets(metadata) && state.servicePrincipalId === metadata.servicePrincipalId;

/** The document's present content replaces its earlier content. */
const recordDocument = (command: RecordMetadataDocument, state: ClientState): Decision => {
  const { applicationId, tenantId, metadataUrl, audiences, at } = command;
  const metadata = metadataFieldsOf(command.metadata);
  const fault = checkMetadata(command.metadata, { grantable: [], audiences });
  if (fault !== undefined) return rejected(fault);
  if (state.kind === 'none')
    return right([
      { type: 'ClientRegistered', data: { applicationId, tenantId, createdAt: at, ...metadata } },
      { type: 'ClientRegisteredItself', data: { applicationId, metadataUrl } },
    ]);
  if (isSameMetadata(state, metadata)) return right([]);
  return right([
    ...loosenings(state, metadata),
    { type: 'ClientChanged', data: { applicationId, ...metadata } },
    ...(voidsGrants(state, metadata) ? [voidGrants(state, at)] : []),
  ]);
};

/** A caller changes only what it could have registered itself, by the metadata of before and of after. */
const change = ({ applicationId, metadata: requested, means, at }: ChangeClient, state: Application): Decision => {
  const url = state.registeredItself?.metadataUrl ?? null;
  if (url !== null) return reject('client-metadata-invalid', `The metadata of this client is at ${url}.`);
  const lacking = checkAuthorityOver(state, means);
  if (lacking !== undefined) return rejected(lacking);
  const metadata = metadataFieldsOf(requested);
  if (isSameMetadata(state, metadata)) return right([]);
  const fault = checkMetadata(requested, means);
  if (fault !== undefined) return rejected(fault);
  return right([
    ...loosenings(state, metadata),
    { type: 'ClientChanged', data: { applicationId, ...metadata } },
    ...(voidsGrants(state, metadata) ? [voidGrants(state, at)] : []),
    ...(keepsSecrets(state, metadata) ? [] : revokeAllSecrets(state)),
  ]);
};

const unknown = () => reject('client-unknown', 'There is no such client.');

const builtInPowers = { scopes: builtInScopes, firstParty: false, servicePrincipalId: null };

const disable = ({ applicationId, reason }: DisableClient, state: ClientState): Decision => {
  if (state.kind === 'none' && !isBuiltIn(applicationId)) return unknown();
  return right(state.enabled ? [{ type: 'ClientDisabled', data: { applicationId, reason } }] : []);
};

const enable = ({ applicationId, reason, grantable }: EnableClient, state: ClientState): Decision => {
  if (state.kind === 'none' && !isBuiltIn(applicationId)) return unknown();
  const lacking = checkAuthorityOver(state.kind === 'none' ? builtInPowers : state, { grantable });
  if (lacking !== undefined) return rejected(lacking);
  return right(state.enabled ? [] : [{ type: 'ClientEnabled', data: { applicationId, reason } }]);
};

const decide = (command: ClientCommand, state: ClientState): Decision => {
  if (command.type === 'RegisterClient') return register(command, state);
  if (command.type === 'RecordMetadataDocument') return recordDocument(command, state);
  if (command.type === 'DisableClient') return disable(command, state);
  if (command.type === 'EnableClient') return enable(command, state);
  if (state.kind === 'none') return unknown();
  switch (command.type) {
    case 'ChangeClient':
      return change(command, state);
    case 'IssueClientSecret':
      return issueSecret(command, state);
    case 'RevokeClientSecret':
      return revokeSecret(command, state);
  }
};

export const client: Decider<ClientCommand, ClientState, ClientEvent, ClientRejection> = {
  family: clients,
  initial: { kind: 'none', enabled: true, grantEpoch: 0 },
  evolve,
  decide,
};
