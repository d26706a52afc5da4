/** Our own processes, and what each is told by its environment. */
import { extname, join } from 'node:path';
import type { SecretFiles } from './secrets';

export const serviceNames = [
  'commands',
  'processes',
  'projections',
  'read-api',
  'blobs',
  'ratelimit',
  'editor',
  'gateway',
] as const;
export type ServiceName = (typeof serviceNames)[number];

export interface ServicePorts {
  readonly commands: number;
  readonly processes: number;
  readonly 'read-api': number;
  readonly projections: number;
  readonly blobs: number;
  /** Left out, the gateway knows no limiter to ask. */
  readonly ratelimit?: number;
  /** Left out, documents cannot be opened. */
  readonly editor?: number;
  readonly gateway: number;
}

export interface Surroundings {
  /** URLs of the stores, and `OFF_<STORE>` with the reason for those that are missing. */
  readonly stores: Readonly<Record<string, string>>;
  readonly secrets: SecretFiles;
  readonly data: string;
  readonly host: string;
  readonly ports: ServicePorts;
}

const root = join(__dirname, '..', '..');
const sources: { readonly [Name in ServiceName]: string } = {
  commands: 'commands/main',
  processes: 'commands/processes.main',
  projections: 'projections/main',
  'read-api': 'read-api/main',
  blobs: 'infra/blobs/main',
  ratelimit: 'infra/ratelimit/service/main',
  editor: 'commands/editor.main',
  gateway: 'infra/gateway/main',
};

/** The same extension as this file: TypeScript in a checkout, JavaScript in a build. */
export const scriptOf = (source: string): string => join(root, `${source}${extname(__filename)}`);

export const serviceScript = (name: ServiceName): string => scriptOf(sources[name]);

export const publicUrl = ({ host, ports }: Pick<Surroundings, 'host' | 'ports'>): string =>
  process.env.PUBLIC_URL ?? `http://${host}:${ports.gateway}`;

export const keysDirectory = (data: string): string => join(data, 'keys');

/** A bucket given by S3_BUCKET is reached at its own address. */
const blobsUrl = ({ ports }: Surroundings): Record<string, string> =>
  process.env.S3_BUCKET ? {} : { BLOBS_URL: `http://127.0.0.1:${ports.blobs}` };

const limiterUrl = ({ ports: { ratelimit } }: Surroundings): Record<string, string> =>
  ratelimit === undefined ? {} : { RATELIMIT_URL: `http://127.0.0.1:${ratelimit}` };

const editorUrl = ({ ports: { editor } }: Surroundings): Record<string, string> =>
  editor === undefined ? {} : { EDITOR_URL: `http://127.0.0.1:${editor}` };

const internal = (port: number) => ({ HOST: '127.0.0.1', PORT: String(port) });

export const serviceEnv = (name: ServiceName, around: Surroundings): Record<string, string> => {
  const { stores, secrets, ports, data } = around;
  const { EVENTSTORE_READER_URL: readerUrl, ...others } = stores;
  const shared = {
    ...others,
    INTERNAL_KEYS_FILE: secrets['internal-keys'],
    PUBLIC_URL: publicUrl(around),
    DATA_DIR: data,
  };
  const nonces = { DPOP_NONCE_KEY_FILE: secrets['dpop-nonce-key'] };
  const keys = { MASTER_KEY_FILE: secrets['master-key'], KEYS_DIR: keysDirectory(data) };
  const blobs = { BLOBS_KEY_FILE: secrets['blobs-key'], BLOBS_DIR: process.env.BLOBS_DIR ?? join(data, 'blobs') };
  const own: { readonly [Name in ServiceName]: Record<string, string> } = {
    commands: {
      ...internal(ports.commands),
      ISSUER: publicUrl(around),
      ...keys,
      ...blobs,
      BOOTSTRAP_CODE_FILE: secrets['bootstrap-code'],
      INTERNAL_MAC_KEY_FILE: secrets['commands-mac-key'],
      ...nonces,
    },
    processes: { ...internal(ports.processes), ...keys, ...blobs },
    projections: { ...internal(ports.projections), ...keys, READER_PASSWORD_FILE: secrets['reader-password'] },
    'read-api': {
      ...internal(ports['read-api']),
      CURSOR_KEY_FILE: secrets['cursor-key'],
      INTERNAL_MAC_KEY_FILE: secrets['read-api-mac-key'],
      ...blobs,
    },
    blobs: { ...internal(ports.blobs), ...blobs },
    ratelimit: {
      ...internal(ports.ratelimit ?? 0),
      COMMANDS_URL: `http://127.0.0.1:${ports.commands}`,
      READ_API_URL: `http://127.0.0.1:${ports['read-api']}`,
      INTERNAL_SIGNING_KEY_FILE: secrets['ratelimit-signing-key'],
      INTERNAL_MAC_KEY_FILE: secrets['ratelimit-mac-key'],
    },
    editor: {
      ...internal(ports.editor ?? 0),
      ...blobs,
      EDITOR_CLIENT_KEY_FILE: secrets['editor-client-key'],
      INTERNAL_MAC_KEY_FILE: secrets['editor-mac-key'],
    },
    gateway: {
      HOST: around.host,
      PORT: String(ports.gateway),
      ISSUER: publicUrl(around),
      INTERNAL_SIGNING_KEY_FILE: secrets['gateway-signing-key'],
      COMMANDS_MAC_KEY_FILE: secrets['commands-mac-key'],
      READ_API_MAC_KEY_FILE: secrets['read-api-mac-key'],
      RATELIMIT_MAC_KEY_FILE: secrets['ratelimit-mac-key'],
      EDITOR_MAC_KEY_FILE: secrets['editor-mac-key'],
      SESSION_KEY_FILE: secrets['session-key'],
      ...nonces,
      COMMANDS_URL: `http://127.0.0.1:${ports.commands}`,
      PROCESSES_URL: `http://127.0.0.1:${ports.processes}`,
      READ_API_URL: `http://127.0.0.1:${ports['read-api']}`,
      PROJECTIONS_URL: `http://127.0.0.1:${ports.projections}`,
      ...blobsUrl(around),
      ...limiterUrl(around),
      ...editorUrl(around),
    },
  };
  // Only the write side appends.
  const appends = name === 'commands' || name === 'processes' || name === 'editor';
  const reader: Record<string, string> = readerUrl === undefined || appends ? {} : { EVENTSTORE_URL: readerUrl };
  return { ...shared, ...reader, ...own[name] };
};
