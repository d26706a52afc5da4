/** Measures the embedded node; each part can be run alone by its name. */
import { benchBackup } from './backup';
import { benchCalls } from './calls';
import { benchFanOut } from './fan-out';
import { benchMemory } from './memory';
import { benchPersistent } from './persistent';
import { benchScavenge } from './scavenge';
import { benchStart } from './start';

const benches: Readonly<Record<string, () => Promise<void>>> = {
  calls: benchCalls,
  'fan-out': benchFanOut,
  persistent: benchPersistent,
  memory: benchMemory,
  start: benchStart,
  scavenge: benchScavenge,
  backup: benchBackup,
};

export const parts = Object.keys(benches);

/** The chosen parts, or all. */
export const run = async (chosen: readonly string[]): Promise<void> => {
  for (const [part, bench] of Object.entries(benches)) if (chosen.length === 0 || chosen.includes(part)) await bench();
};
