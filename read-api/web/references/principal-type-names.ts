/** Principal types, where no sentence goes before. */
export const principalTypeNames = { HUMAN: 'Person', PIPELINE: 'Pipeline', AI_AGENT: 'AI agent' } as const;
