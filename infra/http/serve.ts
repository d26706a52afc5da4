/** A service that answers HTTP: its routes behind the identity check, on a listener of its own. */

import type { Health } from '../ports/health';
import type { Running, ServiceContext } from '../service';
import { httpApp } from './app';
import { type CallerKeys, openCallerKeys } from './caller-keys';
import { listen } from './listener';
import type { BoundRoute } from './route';
import type { Upgrade } from './upgrade';

type CallerKeysConfig = { readonly INTERNAL_KEYS: string };

/** The keys that callers are known by: of a file, they are read again. */
export const callerKeysOf = ({ INTERNAL_KEYS: text }: CallerKeysConfig, { env, log }: ServiceContext): CallerKeys =>
  openCallerKeys({ text, path: env.INTERNAL_KEYS_FILE, log });

export interface ServeOptions {
  readonly config: CallerKeysConfig & { readonly HOST: string; readonly PORT: number };
  readonly context: ServiceContext;
  /** Given where more than the routes needs them. */
  readonly callerKeys?: CallerKeys;
  readonly routes: readonly BoundRoute[];
  readonly health: () => Promise<Health>;
  /** What becomes of WebSockets; without it there are none. */
  readonly upgrade?: Upgrade;
  /** What the routes use, closed once the last request is answered. */
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
