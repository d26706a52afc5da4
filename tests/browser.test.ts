/** All that is seen in a browser as one file, for runs in lanes: its parts share a system and a browser, which each lane would start anew. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const parts = join(__dirname, 'browser');
for (const file of readdirSync(parts).sort()) if (file.endsWith('.test.ts')) require(join(parts, file));
