/** Clients whose id is the URL of their metadata document. They are recorded when a person allows them something. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { client } from '../../../domain/identity/client/decider';
import { type ClientMetadata, clientStream } from '../../../domain/identity/client/events';
import { type Application, firstEpochs } from '../../../domain/identity/client/state';
import { isMetadataHost, registrationPolicy } from '../../../domain/identity/registration-policy/decider';
import { registrationPolicyStream } from '../../../domain/identity/registration-policy/events';
import type { Instant } from '../../../domain/kernel/codec';
import type { EventStoreFault } from '../../../infra/ports/event-store';
import { handle } from '../../kernel/handle';
import type { HandleDeps, Refusal } from '../../kernel/handle-request';
import { loadStream } from '../../kernel/load-stream';
import type { ApplicationClientName } from './client-id';
import { type ClientSource, loadClient, loadOpenedTargets, type OpenedTargets, withOpenedTargets } from './load-client';
import { type DocumentFault, isMetadataUrl, metadataClientName } from './metadata-document';

export interface MetadataClient extends ApplicationClientName {
  readonly application: Application;
  /** As fetched; undefined: only what was recorded is known. */
  readonly document: ClientMetadata | undefined;
}

type MetadataLookup = Either<EventStoreFault | DocumentFault, MetadataClient | undefined>;

/** The record is of what people allowed; the document is what the client is now. */
const currentApplication = async (
  source: ClientSource,
  name: ApplicationClientName,
  { url, document, opened }: { url: string; document: ClientMetadata; opened: OpenedTargets },
): Promise<Either<EventStoreFault, Application>> => {
  const state = await loadStream(source, client, clientStream(name.tenantId, name.applicationId));
  if (isLeft(state)) return state;
  const { enabled, grantEpoch } = state.right;
  const { consentEpoch, voidedAt } = state.right.kind === 'none' ? firstEpochs : state.right;
  return right({
    ...document,
    kind: 'registered',
    applicationId: name.applicationId,
    enabled,
    secrets: new Map(),
    consentEpoch,
    grantEpoch,
    voidedAt,
    registeredItself: { metadataUrl: url },
    ...withOpenedTargets(document, opened),
  });
};

/**
 * Undefined: the id is no such URL, or the tenant takes no documents of that host. Left also without a document that can be used, unless
 * `recorded` is set: the recorded one is enough.
 */
export const findMetadataClient = async (
  source: ClientSource,
  url: string,
  { recorded }: { readonly recorded: boolean },
): Promise<MetadataLookup> => {
  const documents = source.metadataDocuments;
  if (documents === undefined || !isMetadataUrl(url)) return right(undefined);
  const name = metadataClientName(documents.tenantId, url);
  const policy = await loadStream(source, registrationPolicy, registrationPolicyStream(name.tenantId));
  if (isLeft(policy)) return policy;
  if (!isMetadataHost(policy.right, new URL(url).host)) return right(undefined);
  const document = await documents.of(url);
  if (isLeft(document)) {
    const known = recorded ? await loadClient(source, name) : right(undefined);
    if (isLeft(known)) return known;
    return known.right === undefined ? document : right({ ...name, application: known.right, document: undefined });
  }
  const opened = await loadOpenedTargets(source, name.tenantId, policy.right);
  if (isLeft(opened)) return opened;
  const current = { url, document: document.right, opened: opened.right };
  const application = await currentApplication(source, name, current);
  return isLeft(application)
    ? application
    : right({ ...name, application: application.right, document: document.right });
};

interface RecordContext {
  readonly at: Instant;
  readonly requestId: string;
  readonly commandId: string;
  readonly actor: string;
}

/** Records the document that a person was shown. Answers the client with its epochs of then. */
export const recordMetadataClient = async (
  deps: ClientSource & HandleDeps,
  { tenantId, applicationId, application, document }: MetadataClient,
  { at, requestId: correlationId, commandId, actor }: RecordContext,
): Promise<Either<Refusal<string>, Application>> => {
  const metadataUrl = application.registeredItself?.metadataUrl ?? null;
  if (document === undefined || metadataUrl === null) return right(application);
  const stream = clientStream(tenantId, applicationId);
  const command = {
    type: 'RecordMetadataDocument' as const,
    applicationId,
    tenantId,
    metadata: document,
    metadataUrl,
    audiences: deps.audiences,
    at,
  };
  const recorded = await handle(deps, client, { stream, command, commandId, tenant: tenantId, actor, correlationId });
  if (isLeft(recorded)) return recorded;
  const current = await loadClient(deps, { tenantId, applicationId });
  if (isLeft(current)) return current;
  return current.right === undefined
    ? left({ kind: 'rejection', code: 'client-unknown', detail: 'There is no such client.' })
    : right(current.right);
};
