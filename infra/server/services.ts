/** The processes of the system: the shared ones, and the ones that contexts declare in their manifests. */
import { contexts } from '../../domain/contexts';
import type { ContextService } from '../../domain/kernel/context';
import { purgingPrincipal } from './video/purge-call';

export interface SystemService extends ContextService {
  /** Whether the gateway shares a key with it, which makes verified callers cheaper to check. */
  readonly hasMacKey: boolean;
}

const blobMilliseconds = 90_000;

const common: readonly SystemService[] = [
  {
    name: 'commands',
    title: 'command API',
    entry: 'commands/command-api.main',
    appends: true,
    hasMacKey: true,
    secrets: [],
  },
  {
    name: 'processes',
    title: 'processes',
    entry: 'commands/processes.main',
    appends: true,
    hasMacKey: false,
    secrets: [],
  },
  {
    name: 'workers',
    title: 'workers',
    entry: 'commands/workers.main',
    appends: true,
    hasMacKey: false,
    signsAs: purgingPrincipal,
    secrets: [],
  },
  {
    name: 'projections',
    title: 'projectors',
    entry: 'projections/projector.main',
    appends: false,
    hasMacKey: false,
    secrets: [],
  },
  {
    name: 'read-api',
    title: 'query API',
    entry: 'read-api/query-api.main',
    appends: false,
    hasMacKey: true,
    secrets: [],
  },
  {
    name: 'blobs',
    title: 'blob store',
    entry: 'infra/adapters/blobs/main',
    appends: false,
    hasMacKey: false,
    // Longer than the store itself waits for a connection on which nothing moves.
    answerMilliseconds: blobMilliseconds,
    secrets: [],
  },
];

const gateway: SystemService = {
  name: 'gateway',
  title: 'gateway',
  entry: 'infra/gateway/main',
  appends: false,
  hasMacKey: false,
  secrets: [],
};

/** Declared by the contexts' manifests. */
export const contextServices: readonly SystemService[] = contexts.flatMap(({ services }) =>
  services.map((service) => ({ ...service, hasMacKey: true })),
);

/** Every process, in the order in which they are started. */
export const systemServices: readonly SystemService[] = [...common, ...contextServices, gateway];

export const serviceNamed = (name: string): SystemService => {
  const service = systemServices.find((one) => one.name === name);
  if (service === undefined) throw new Error(`there is no service ${name}`);
  return service;
};

const variablePrefix = (name: string): string => name.toUpperCase().replaceAll('-', '_');

/** `EDITOR_URL`: where the gateway reaches the copies of a service. */
export const urlVariable = (name: string): string => `${variablePrefix(name)}_URL`;
/** `EDITOR_PORT`: at the launcher. */
export const portVariable = (name: string): string => `${variablePrefix(name)}_PORT`;
/** `EDITOR_MAC_KEY`: at the gateway; the service itself reads `INTERNAL_MAC_KEY`. */
export const macKeyVariable = (name: string): string => `${variablePrefix(name)}_MAC_KEY`;

export const macKeyFile = (name: string): string => `${name}-mac-key`;
export const signingKeyFile = (name: string): string => `${name}-signing-key`;
