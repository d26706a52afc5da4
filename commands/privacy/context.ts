/** Privacy on the write side: it forgets subjects, and erases their keys. */
import { describedOnly } from '../../infra/http/route';
import { commandContext } from '../kernel/context';
import { keepErasing } from './erase';
import { privacyRoutes } from './routes';

export const context = commandContext({
  config: {},
  open: (_values, platform) => {
    const { vault } = platform;
    if (vault === undefined) return { routes: [] };
    const erasing = keepErasing({ ...platform, vault });
    return { routes: privacyRoutes({ ...platform, vault }), close: () => erasing };
  },
  routes: { commands: () => privacyRoutes(describedOnly) },
});
