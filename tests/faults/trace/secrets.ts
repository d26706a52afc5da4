/** Every kind of secret in a running system, and markers for the secrets that a caller might send. */
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WatchedSystem } from './fixture';

/** Values that must not be found in any log, and what each is. */
export type Secrets = Map<string, string>;

/** Long enough that it is found nowhere by chance. */
export const marker = (): string => `sentinel${randomBytes(12).toString('hex')}`;

/** Passwords that stand in the addresses of stores. */
const inAddresses = (stores: Readonly<Record<string, string>>): readonly (readonly [string, string])[] =>
  Object.entries(stores).flatMap(([name, value]) => {
    const [, password] = /^[a-z]+:\/\/[^:/@\s]+:([^@\s]+)@/.exec(value) ?? [];
    return password === undefined ? [] : [[`password in ${name}`, decodeURIComponent(password)] as const];
  });

/** What the installation has made for itself. A password that is a word would be found in words. */
export const ownSecrets = ({ system: { data, stores }, collectorKey }: WatchedSystem): Secrets => {
  const directory = join(data, 'secrets');
  const files = readdirSync(directory).map(
    (name) => [name, readFileSync(join(directory, name), 'utf8').trim()] as const,
  );
  const all = [...files, ...inAddresses(stores.direct), ['the key of the trace collector', collectorKey] as const];
  return new Map(all.flatMap(([kind, value]) => (value.length < 12 ? [] : [[value, kind] as const])));
};

/** Where any of them is found: file, kind, and the line with it. */
export const leaks = (logs: ReadonlyMap<string, string>, secrets: Secrets): readonly string[] =>
  [...logs].flatMap(([file, text]) =>
    [...secrets].flatMap(([value, kind]) => {
      const at = [value, encodeURIComponent(value), Buffer.from(value).toString('base64url')]
        .map((shape) => text.indexOf(shape))
        .find((index) => index >= 0);
      if (at === undefined) return [];
      return [
        `${kind} in ${file}: ${text
          .slice(text.lastIndexOf('\n', at) + 1)
          .split('\n', 1)[0]
          ?.slice(0, 600)}`,
      ];
    }),
  );

/** As PEM, and as the private member of a JWK for P-256 or Ed25519. */
const privateKey = /-----BEGIN [A-Z ]*PRIVATE KEY-----|"d": ?"[A-Za-z0-9_-]{43}"/;

export const privateKeysIn = (texts: ReadonlyMap<string, string>): readonly string[] =>
  [...texts].flatMap(([name, text]) => (privateKey.test(text) ? [name] : []));
