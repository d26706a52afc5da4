/** A service that answers HTTP: its routes behind the identity check, on a listener of its own. */

import type { Health } from '../../../ports/runtime/health';
import { type ConfigOf, optional } from '../../runtime/config';
import type { Running, ServiceContext } from '../../runtime/service';
import { type CallerKeys, callerKeysText, openCallerKeys } from '../identity/caller-keys';
import { macKeyText, withMacKey } from '../identity/caller-mac';
import { listen } from '../server/listener';
import type { Upgrade } from '../server/upgrade';
import { httpApp } from './app';
import type { BoundRoute } from './route';

/** Variables with the keys that verify callers. */
export const callerVariables = {
  INTERNAL_KEYS: callerKeysText,
  /** MAC key shared with the gateway; absent, the gateway signs identity headers with its private key. */
  INTERNAL_MAC_KEY: optional(macKeyText),
};
type CallerConfig = ConfigOf<typeof callerVariables>;

export const callerKeysOf = (config: CallerConfig, { env, log }: ServiceContext): CallerKeys => {
  const keys = openCallerKeys({ text: config.INTERNAL_KEYS, path: env.INTERNAL_KEYS_FILE, log });
  const { INTERNAL_MAC_KEY: text } = config;
  return text === undefined ? keys : withMacKey(keys, { text, path: env.INTERNAL_MAC_KEY_FILE, log });
};

export interface ServeOptions {
  readonly config: CallerConfig & { readonly HOST: string; readonly PORT: number };
  readonly context: ServiceContext;
  /** Absent: opened from the configuration. */
  readonly callerKeys?: CallerKeys;
  readonly routes: readonly BoundRoute[];
  readonly health: () => Promise<Health>;
  /** Handles WebSocket upgrades; without it there are none. */
  readonly upgrade?: Upgrade;
  /** Closes the routes' dependencies; called once the last request is answered. */
  readonly close?: () => Promise<unknown>;
}

export const serve = async (options: ServeOptions): Promise<Running> => {
  const { config, context, routes, health, upgrade, close } = options;
  const { callerKeys = callerKeysOf(config, context) } = options;
  const { name, log, metrics, trace, leaving, signal } = context;
  const app = httpApp({ name, routes, callerKeys, log, metrics, trace, health, leaving, signal });
  const listener = await listen(app, {
    host: config.HOST,
    port: config.PORT,
    ...(upgrade === undefined ? {} : { upgrade }),
  });
  return {
    port: listener.port,
    ready: health,
    close: async () => {
      await listener.close();
      await close?.();
    },
  };
};
