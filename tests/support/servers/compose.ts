/** docker-compose.yml as it is read, with what it merges merged. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

export interface ComposeService {
  readonly image: string;
  readonly profiles?: readonly string[];
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  /** `name:/path` or `name:/path:ro`, a directory of the host in place of a name where it has a slash. */
  readonly volumes?: readonly string[];
  readonly tmpfs?: readonly string[];
  readonly networks?: readonly string[];
  /** `address:published:own`. */
  readonly ports?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly volumes: Readonly<Record<string, object>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean }>>;
}

export const compose = parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true }) as Compose;
/** What runs always. */
export const ownServices = Object.entries(compose.services).filter(
  ([, { image, profiles }]) => image === 'septet' && profiles === undefined,
);

export interface Mount {
  /** A volume, or a directory of the host; undefined: the container's own memory. */
  readonly source: string | undefined;
  readonly target: string;
}

/** With what stands in for variables of the host that are not set. */
export const withDefaults = (value: string): string => value.replace(/\$\{[A-Z0-9_]+:-([^}]*)\}/g, '$1');

export const mountsOf = ({ volumes = [], tmpfs = [] }: ComposeService): readonly Mount[] => [
  ...volumes.map((volume) => {
    const [source = '', target = ''] = withDefaults(volume).split(':');
    return { source, target };
  }),
  ...tmpfs.map((target) => ({ source: undefined, target })),
];
