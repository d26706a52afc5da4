/** Manifest of privacy on the write side: forgets subjects and erases their keys. */
import { type BoundRoute, bind, describedOnly } from '../../infra/http/routing/route';
import { commandContext } from '../kernel/context';
import { runKeyErasure } from './erase-keys';
import { type ForgetDeps, forgetRoute } from './forget-subject';

export const privacyRoutes = (deps: ForgetDeps): readonly BoundRoute[] => [bind(deps, forgetRoute)];

export const context = commandContext({
  config: {},
  open: (_values, adapters) => {
    const { vault } = adapters;
    if (vault === undefined) return { routes: [] };
    const erasing = runKeyErasure({ ...adapters, vault });
    return { routes: privacyRoutes({ ...adapters, vault }), close: () => erasing };
  },
  routes: { commands: () => privacyRoutes(describedOnly) },
});
