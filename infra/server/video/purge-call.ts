/** The call that purges an edge. */
export const purgePath = '/purge';

/** Cannot be granted: only workers assert it, with a key of their own. */
export const purgeScope = 'videos:purge';

export const purgingPrincipal = { principalId: 'workers', scopes: [purgeScope] } as const;
