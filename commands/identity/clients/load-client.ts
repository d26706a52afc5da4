/** Loads a client from its stream, or a built-in client, and the time before which its tokens are void. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import { builtInApplication, type Installation } from '../../../domain/identity/client/built-in-clients';
import { client } from '../../../domain/identity/client/decider';
import { clientStream, clients } from '../../../domain/identity/client/events';
import {
  type Application,
  type ClientState,
  notBeforeOfDisabled,
  notBeforeOfVoided,
} from '../../../domain/identity/client/state';
import { isMetadataHost, openedScopes, registrationPolicy } from '../../../domain/identity/registration-policy/decider';
import { type RegistrationPolicy, registrationPolicyStream } from '../../../domain/identity/registration-policy/events';
import { decodeStored } from '../../../domain/kernel/codec';
import type { TenantId } from '../../../domain/kernel/ids';
import { EventMetadata } from '../../../domain/kernel/metadata';
import type { EventStoreFault, StoredEvent } from '../../../infra/ports/event-store';
import { loadStream, type StreamSource } from '../../kernel/load-stream';
import { loadApiRegistry } from '../protected-apis/load-registry';
import { type ApplicationClientName, parseApplicationClientId } from './client-id';
import { isMetadataUrl, type MetadataDocuments, metadataClientName } from './metadata-document';

export type ClientSource = Installation &
  StreamSource & {
    /** Undefined: no client_id is a URL. */
    readonly metadataDocuments?: MetadataDocuments;
  };

/** Undefined: no id of an application. */
export const applicationNameOf = (
  { metadataDocuments }: Pick<ClientSource, 'metadataDocuments'>,
  clientId: string,
): ApplicationClientName | undefined =>
  parseApplicationClientId(clientId) ??
  (metadataDocuments !== undefined && isMetadataUrl(clientId)
    ? metadataClientName(metadataDocuments.tenantId, clientId)
    : undefined);

const applicationOrBuiltIn = (
  state: ClientState,
  { applicationId }: ApplicationClientName,
  home: Installation,
): Application | undefined => {
  if (state.kind === 'registered') return state;
  const builtIn = builtInApplication(applicationId, home);
  const { enabled, grantEpoch } = state;
  return builtIn === undefined ? undefined : { ...builtIn, enabled, grantEpoch };
};

export type OpenedTargets = Pick<Application, 'audiences' | 'scopes'>;

/** What the tenant's policy opens to clients that register themselves: audiences, with the scopes of registered APIs among them. */
export const loadOpenedTargets = async (
  source: StreamSource,
  tenantId: TenantId,
  { audiences }: Pick<RegistrationPolicy, 'audiences'>,
): Promise<Either<EventStoreFault, OpenedTargets>> => {
  if (audiences.length === 0) return right({ audiences, scopes: [] });
  const registry = await loadApiRegistry(source, tenantId);
  if (isLeft(registry)) return registry;
  return right({ audiences, scopes: [...openedScopes({ audiences }, [...registry.right.apis.values()])] });
};

export const withOpenedTargets = ({ audiences, scopes }: OpenedTargets, opened: OpenedTargets): OpenedTargets => ({
  audiences: [...new Set([...audiences, ...opened.audiences])],
  scopes: [...new Set([...scopes, ...opened.scopes])],
});

/** Clients that registered themselves may request what their tenant opens to them, and are off where it closes their host. */
const applyRegistrationPolicy = async (
  source: StreamSource,
  { tenantId }: ApplicationClientName,
  application: Application,
): Promise<Either<EventStoreFault, Application>> => {
  const { registeredItself: itself } = application;
  if (itself === undefined) return right(application);
  const policy = await loadStream(source, registrationPolicy, registrationPolicyStream(tenantId));
  if (isLeft(policy)) return policy;
  const isOpen = itself.metadataUrl === null || isMetadataHost(policy.right, new URL(itself.metadataUrl).host);
  const opened = await loadOpenedTargets(source, tenantId, policy.right);
  if (isLeft(opened)) return opened;
  const targets = withOpenedTargets(application, opened.right);
  return right({ ...application, ...targets, enabled: application.enabled && isOpen });
};

/** Undefined: unknown client. Disabled clients are returned. */
export const loadClient = async (
  source: ClientSource,
  name: ApplicationClientName,
): Promise<Either<EventStoreFault, Application | undefined>> => {
  const found = await loadStream(source, client, clientStream(name.tenantId, name.applicationId));
  if (isLeft(found)) return found;
  const application = applicationOrBuiltIn(found.right, name, source);
  return application === undefined ? right(undefined) : applyRegistrationPolicy(source, name, application);
};

const voidingTypes = new Set(clients.storedTypes.filter((type) => /\.Client(?:Disabled|GrantsVoided)\./.test(type)));

/** The time before which the event voids tokens. */
const notBeforeIn = ({ stream, type, metadata }: StoredEvent): readonly number[] => {
  if (!voidingTypes.has(type)) return [];
  const recorded = decodeStored(EventMetadata, metadata);
  // Throws, because without the time every token would stay valid.
  if (isLeft(recorded)) throw new Error(`${type} in ${stream} cannot be read`);
  const at = Date.parse(recorded.right.at);
  return [type.includes('.ClientGrantsVoided.') ? notBeforeOfVoided(at) : notBeforeOfDisabled(at)];
};

/** Milliseconds since 1970; 0: no token is void. */
export const loadClientNotBefore = async (
  { store }: StreamSource,
  { tenantId, applicationId }: ApplicationClientName,
): Promise<Either<EventStoreFault, number>> => {
  const events = await store.read(clientStream(tenantId, applicationId));
  return isLeft(events) ? events : right(Math.max(0, ...events.right.flatMap(notBeforeIn)));
};
