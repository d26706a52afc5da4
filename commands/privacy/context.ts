/** Manifest of privacy on the write side: forgets subjects and erases their keys. */
import { type BoundRoute, bind, describedOnly } from '../../infra/http/routing/route';
import { commandContext } from '../kernel/context';
import { runKeyErasure } from './erase-keys';
import { type ForgetDeps, forgetRoute } from './forget-subject';

export const privacyRoutes = (deps: ForgetDeps): readonly BoundRoute[] => [bind(deps, forgetRoute)];

export const context = commandContext({
  config: {},
  open: (_values, platform) => {
    const { vault } = platform;
    if (vault === undefined) return { routes: [] };
    const erasing = runKeyErasure({ ...platform, vault });
    return { routes: privacyRoutes({ ...platform, vault }), close: () => erasing };
  },
  routes: { commands: () => privacyRoutes(describedOnly) },
});
