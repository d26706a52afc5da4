/** The embedded node in figures; each part can be run alone by its name. */
import { benchBackup } from './eventstore/backup';
import { benchCalls } from './eventstore/calls';
import { benchFanOut } from './eventstore/fan-out';
import { benchMemory } from './eventstore/memory';
import { benchPersistent } from './eventstore/persistent';
import { benchScavenge } from './eventstore/scavenge';
import { benchStart } from './eventstore/start';

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

/** Those that were chosen, or all. */
export const run = async (chosen: readonly string[]): Promise<void> => {
  for (const [part, bench] of Object.entries(benches)) if (chosen.length === 0 || chosen.includes(part)) await bench();
};
