/** A service that answers HTTP: its routes behind the identity check, on a listener of its own. */

import type { Health } from '../ports/health';
import type { Running, ServiceContext } from '../service';
import { httpApp } from './app';
import { listen } from './listener';
import type { BoundRoute } from './route';
import type { Upgrade } from './upgrade';

export interface ServeOptions {
  readonly config: { readonly HOST: string; readonly PORT: number; readonly INTERNAL_KEY: string };
  readonly context: ServiceContext;
  readonly routes: readonly BoundRoute[];
  readonly health: () => Promise<Health>;
  /** What becomes of WebSockets; without it there are none. */
  readonly upgrade?: Upgrade;
  /** What the routes use, closed once the last request is answered. */
  readonly close?: () => Promise<unknown>;
}

export const serve = async ({ config, context, routes, health, upgrade, close }: ServeOptions): Promise<Running> => {
  const { name, log, metrics, trace, leaving, signal } = context;
  const app = httpApp({ name, routes, internalKey: config.INTERNAL_KEY, log, metrics, trace, health, leaving, signal });
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
