/** The platform's manifest: the log, the read models, the processes and the streams, for operators and followers. */
import type { Context } from '../kernel/context';

export const context: Context = {
  name: 'platform',
  scopes: [
    { name: 'platform:read', description: 'See how the platform is doing' },
    { name: 'platform:write', description: 'Operate the platform' },
  ],
  tags: [
    { name: 'streams', description: 'Live streams over WebSockets.', paths: /^\/v1\/streams\// },
    {
      name: 'platform',
      description: 'The log, the read models and the processes, for operators.',
      paths: /^\/v1\/platform\//,
    },
  ],
  limitGroups: [],
  destinations: [
    { paths: ['/v1/streams'], methods: ['GET'], webSocket: true },
    { paths: ['/v1/streams/tickets'], methods: ['POST'], service: 'read-api', question: true },
  ],
  services: [],
};
