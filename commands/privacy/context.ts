/** Manifest of privacy on the write side: forgets subjects and erases their keys. */
import { type BoundRoute, bind } from '../../infra/server/http/routing/route';
import { commandContext } from '../kernel/context';
import { runKeyErasure } from './erase-keys';
import { type ForgetDeps, forgetRoute } from './forget-subject';

export const privacyRoutes = (deps: ForgetDeps): readonly BoundRoute[] => [bind(deps, forgetRoute)];

export const context = commandContext({
  config: {},
  open: (_values, adapters) => {
    const { vault } = adapters;
    if (vault === undefined) return { deps: 'none' as const };
    const erasing = runKeyErasure({ ...adapters, vault });
    return { deps: { ...adapters, vault }, close: () => erasing };
  },
  routes: privacyRoutes,
});
