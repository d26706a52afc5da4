/** The keys that a client is registered with, or those at the address that it is registered with: kept for minutes. */
import { createHash } from 'node:crypto';
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import type { Application } from '../../../domain/identity/client/state';
import { decode } from '../../../domain/kernel/codec';
import type { RemoteJson } from '../../../infra/ports/remote-json';
import { type ClientKey, clientKeyOf } from './public-keys';

export interface ClientKeys {
  /** Undefined: they cannot be had right now. `anew`: those that are kept do not do, so they may have changed. */
  readonly of: (application: Application, anew?: boolean) => Promise<readonly ClientKey[] | undefined>;
}

interface Kept {
  readonly keys: Promise<readonly ClientKey[] | undefined>;
  readonly since: number;
}

const freshMilliseconds = 300_000;
/** Who sends nonsense must not have us fetch for each of it. */
const pauseMilliseconds = 30_000;
const mostAddresses = 1_000;
const mostKeys = 20;

const Fetched = t.type({ keys: t.array(t.unknown) }, 'JwkSet');

/** Keys of kinds that are not known here are passed over: they are for others. */
const readKeys = (fetched: unknown): readonly ClientKey[] | undefined => {
  const set = decode(Fetched, fetched);
  if (isLeft(set)) return undefined;
  return set.right.keys
    .slice(0, mostKeys)
    .map(clientKeyOf)
    .filter((key) => key !== undefined);
};

export const openClientKeys = (fetchJson: RemoteJson, now: () => number = Date.now): ClientKeys => {
  const kept = new Map<string, Kept>();
  const fetchKeys = async (address: string): Promise<readonly ClientKey[] | undefined> => {
    const found = await fetchJson(address);
    return isLeft(found) ? undefined : readKeys(found.right);
  };
  const keep = (name: string, address: string): Kept => {
    const oldest = kept.size >= mostAddresses ? kept.keys().next().value : undefined;
    if (oldest !== undefined) kept.delete(oldest);
    const entry = { keys: fetchKeys(address), since: now() };
    kept.delete(name);
    kept.set(name, entry);
    return entry;
  };
  const at = async (address: string, anew: boolean): Promise<readonly ClientKey[] | undefined> => {
    const name = createHash('sha256').update(address).digest('base64url');
    const known = kept.get(name);
    const age = known === undefined ? Number.POSITIVE_INFINITY : now() - known.since;
    if (known === undefined || age > (anew ? pauseMilliseconds : freshMilliseconds)) return keep(name, address).keys;
    const keys = await known.keys;
    // What could not be had is asked for again soon, but not by every request.
    return keys === undefined && age > pauseMilliseconds ? keep(name, address).keys : keys;
  };
  return {
    of: async ({ jwks, jwksUri }, anew = false) => {
      if (jwks !== null) return jwks.keys;
      return jwksUri === null ? [] : at(jwksUri, anew);
    },
  };
};
