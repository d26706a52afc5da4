/** A service that answers HTTP: its routes behind the identity check, on a listener of its own. */

import type { Health } from '../ports/health';
import type { Running, ServiceContext } from '../service';
import { httpApp } from './app';
import { listen } from './listener';
import type { BoundRoute } from './route';

export interface ServeOptions {
  readonly config: { readonly HOST: string; readonly PORT: number; readonly INTERNAL_KEY: string };
  readonly context: ServiceContext;
  readonly routes: readonly BoundRoute[];
  readonly health: () => Promise<Health>;
  /** What the routes use, closed once the last request is answered. */
  readonly close?: () => Promise<unknown>;
}

export const serve = async ({ config, context, routes, health, close }: ServeOptions): Promise<Running> => {
  const { name, log, metrics, signal } = context;
  const app = httpApp({ name, routes, internalKey: config.INTERNAL_KEY, log, metrics, health, signal });
  const listener = await listen(app, { host: config.HOST, port: config.PORT });
  return {
    port: listener.port,
    ready: health,
    close: async () => {
      await listener.close();
      await close?.();
    },
  };
};
