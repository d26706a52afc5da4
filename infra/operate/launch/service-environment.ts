/** Environment and ports of each service process. */
import { join } from 'node:path';
import { entryPath } from '../../server/bundle/entry-path';
import {
  contextServices,
  macKeyFile,
  macKeyVariable,
  type SystemService,
  serviceNamed,
  signingKeyFile,
  systemServices,
  urlVariable,
} from '../../server/services';
import { type SecretFiles, secretFile } from './secret-files';

/** In the order in which they are started. */
export const serviceNames: readonly string[] = systemServices.map(({ name }) => name);

/** By the service's name. Left out for a context's service: it does not run. */
export interface ServicePorts {
  readonly commands: number;
  readonly 'read-api': number;
  readonly gateway: number;
  readonly [service: string]: number | undefined;
}

export interface LaunchContext {
  /** URLs of the stores, and `OFF_<STORE>` with the reason for each missing one. */
  readonly stores: Readonly<Record<string, string>>;
  readonly secrets: SecretFiles;
  readonly data: string;
  readonly host: string;
  readonly ports: ServicePorts;
}

export const serviceScript = (name: string): string => entryPath(serviceNamed(name).entry);

export const publicUrl = ({ host, ports }: Pick<LaunchContext, 'host' | 'ports'>): string =>
  process.env.PUBLIC_URL ?? `http://${host}:${ports.gateway}`;

export const keysDirectory = (data: string): string => join(data, 'keys');

export const sandboxesDirectory = (data: string): string => join(data, 'sandboxes');

/** Services are started only where the gateway of this machine reaches them. */
const addressOf = (port: number): string => `http://127.0.0.1:${port}`;

const internal = (port: number) => ({ HOST: '127.0.0.1', PORT: String(port) });

/** The addresses of all services but the gateway. With S3_BUCKET, clients reach the bucket at its own address. */
const urls = ({ ports }: LaunchContext): Record<string, string> =>
  Object.fromEntries(
    systemServices.flatMap(({ name }) => {
      const port = ports[name];
      if (port === undefined || name === 'gateway' || (name === 'blobs' && process.env.S3_BUCKET)) return [];
      return [[urlVariable(name), addressOf(port)]];
    }),
  );

const macKeyFiles = (secrets: SecretFiles): Record<string, string> =>
  Object.fromEntries(
    systemServices
      .filter(({ hasMacKey }) => hasMacKey)
      .map(({ name }) => [`${macKeyVariable(name)}_FILE`, secretFile(secrets, macKeyFile(name))]),
  );

const ofContextService = (
  service: SystemService,
  { secrets, ports }: LaunchContext,
  blobs: Record<string, string>,
) => ({
  ...(service.usesBlobs === true ? blobs : {}),
  ...(service.callsApis === true
    ? { COMMANDS_URL: addressOf(ports.commands), READ_API_URL: addressOf(ports['read-api']) }
    : {}),
  ...Object.fromEntries(
    service.secrets.map(({ name, variable }) => [`${variable}_FILE`, secretFile(secrets, name)] as const),
  ),
});

export const serviceEnv = (name: string, around: LaunchContext): Record<string, string> => {
  const { stores, secrets, ports, data } = around;
  const service = serviceNamed(name);
  const { EVENTSTORE_READER_URL: readerUrl, ...others } = stores;
  const shared = {
    ...others,
    INTERNAL_KEYS_FILE: secrets['internal-keys'],
    PUBLIC_URL: publicUrl(around),
    DATA_DIR: data,
    ...(service.hasMacKey ? { INTERNAL_MAC_KEY_FILE: secretFile(secrets, macKeyFile(name)) } : {}),
    ...(service.signsAs === undefined ? {} : { INTERNAL_SIGNING_KEY_FILE: secretFile(secrets, signingKeyFile(name)) }),
  };
  const nonces = { DPOP_NONCE_KEY_FILE: secrets['dpop-nonce-key'] };
  const keys = { MASTER_KEY_FILE: secrets['master-key'], KEYS_DIR: keysDirectory(data) };
  const viewKey = { VIEW_KEY_FILE: secrets['view-key'] };
  const blobs = { BLOBS_KEY_FILE: secrets['blobs-key'], BLOBS_DIR: process.env.BLOBS_DIR ?? join(data, 'blobs') };
  const deliveryKeys = { VIDEO_DELIVERY_KEYS_FILE: secrets['video-delivery-key'] };
  const edges: Record<string, string> = ports.edge === undefined ? {} : { EDGE_URL: addressOf(ports.edge) };
  const own: Readonly<Record<string, Record<string, string>>> = {
    commands: {
      ISSUER: publicUrl(around),
      ...keys,
      ...blobs,
      BOOTSTRAP_CODE_FILE: secrets['bootstrap-code'],
      ...nonces,
      ...deliveryKeys,
    },
    processes: keys,
    workers: {
      ISSUER: publicUrl(around),
      ...keys,
      ...blobs,
      SANDBOX_DIR: process.env.SANDBOX_DIR ?? sandboxesDirectory(data),
      ...edges,
    },
    projections: { ...keys, ...viewKey, ...blobs, READER_PASSWORD_FILE: secrets['reader-password'] },
    'read-api': { CURSOR_KEY_FILE: secrets['cursor-key'], ...viewKey, ...blobs, ...deliveryKeys },
    blobs,
    edge: { ...deliveryKeys, EDGE_CACHE_DIR: process.env.EDGE_CACHE_DIR ?? join(data, 'edge') },
    workflow: {
      ISSUER: publicUrl(around),
      REPOSITORIES_DIR: process.env.REPOSITORIES_DIR ?? join(data, 'repositories'),
    },
    gateway: {
      ISSUER: publicUrl(around),
      INTERNAL_SIGNING_KEY_FILE: secrets['gateway-signing-key'],
      ...macKeyFiles(secrets),
      SESSION_KEY_FILE: secrets['session-key'],
      ...nonces,
      ...urls(around),
    },
  };
  const port = ports[name] ?? 0;
  const place = name === 'gateway' ? { HOST: around.host, PORT: String(port) } : internal(port);
  const reader: Record<string, string> =
    readerUrl === undefined || service.appends ? {} : { EVENTSTORE_URL: readerUrl };
  const declared = contextServices.includes(service) ? ofContextService(service, around, blobs) : {};
  return { ...shared, ...reader, ...place, ...declared, ...own[name] };
};
