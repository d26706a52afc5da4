/** docker-compose.yml as it is read, with what it merges merged. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

export interface ComposeService {
  readonly image: string;
  readonly profiles?: readonly string[];
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly volumes: object;
}

export const compose = parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true }) as Compose;
/** What runs always. */
export const ownServices = Object.entries(compose.services).filter(
  ([, { image, profiles }]) => image === 'septet' && profiles === undefined,
);
