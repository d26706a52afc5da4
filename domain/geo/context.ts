/** The manifest of places: they come in by feeds and files, and are searched around a point. */
import type { Context } from '../kernel/context';

export const context: Context = {
  name: 'geo',
  scopes: [
    { name: 'places:read', description: 'Search places and see their details' },
    { name: 'places:write', description: 'Add, change and remove places, one by one or by files' },
    {
      name: 'sources:write',
      description: 'Hand places of one source over to another, and set who may write as a source',
    },
  ],
  tags: [
    {
      name: 'search',
      description: 'Places around a point or in a box, the best first.',
      paths: /^\/v1\/(?:search|entities)(?:\/|$)/,
    },
    {
      name: 'places',
      description: 'Places from feeds and files.',
      paths: /^\/v1\/places(?:[/:]|$)/,
    },
  ],
  limitGroups: [
    { name: 'place-changes', methods: ['POST'], paths: ['/v1/places:batch', '/v1/places:handover'], by: 'callers' },
  ],
  destinations: [],
  services: [
    {
      name: 'search',
      title: 'place search',
      entry: 'read-api/geo/search/main',
      appends: false,
      secrets: [{ name: 'search-cursor-key', variable: 'SEARCH_CURSOR_KEY' }],
    },
  ],
};
