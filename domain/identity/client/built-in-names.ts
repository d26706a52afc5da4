/** What the clients that every tenant has are called, and what they are for. */
export const builtInNames = {
  console: { name: 'Septet console', purpose: 'Signs people in to this console.' },
  cli: {
    name: 'Septet command line',
    purpose: 'Signs people in to command-line tools, in a browser on the same machine or by a code on another one.',
  },
} as const;
export type BuiltInName = keyof typeof builtInNames;
