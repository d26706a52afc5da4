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
