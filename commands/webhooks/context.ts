/** Webhooks on the write side. */
import { isAllowedUrl } from '../../infra/adapters/remote/guarded-fetch';
import { oneOfWords, withDefault } from '../../infra/server/runtime/config';
import { commandContext } from '../kernel/context';
import { webhookRoutes } from './routes';

export const context = commandContext({
  config: {
    /** Whether webhooks may be sent to private addresses, and without TLS to this machine. */
    PRIVATE_ADDRESSES: withDefault(oneOfWords('refuse', 'allow'), 'refuse'),
  },
  open: ({ PRIVATE_ADDRESSES }, adapters) => ({
    deps: { ...adapters, isAllowedUrl: (url: URL) => isAllowedUrl(url, PRIVATE_ADDRESSES === 'allow') },
  }),
  routes: webhookRoutes,
});
