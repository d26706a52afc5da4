/** Manifest of privacy on the write side: forgets subjects and erases their keys. */
import { type BoundRoute, bind } from '../../infra/http/routing/route';
import { commandContext } from '../kernel/context';
import { runKeyErasure } from './erase-keys';
import { type ForgetDeps, forgetRoute } from './forget-subject';

export const privacyRoutes = (deps: ForgetDeps): readonly BoundRoute[] => [bind(deps, forgetRoute)];

export const context = commandContext({
  config: {},
  open: (_values, platform) => {
    const { vault } = platform;
    if (vault === undefined) return { deps: 'none' as const };
    const erasing = runKeyErasure({ ...platform, vault });
    return { deps: { ...platform, vault }, close: () => erasing };
  },
  routes: privacyRoutes,
});
