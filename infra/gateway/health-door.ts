/** The platform's health as this gateway was told where to ask for it. */
import type { Health } from '../ports/health';
import type { Closers } from '../shutdown';
import { version } from '../version';
import type { Config } from './config';
import { type HealthDoor, openPlatformHealth, watchedOf } from './platform-health';

type Addresses = Pick<
  Config,
  'COMMANDS_URL' | 'PROCESSES_URL' | 'PROJECTIONS_URL' | 'READ_API_URL' | 'BLOBS_URL' | 'RATELIMIT_URL' | 'EDITOR_URL'
>;

interface Around {
  readonly config: Addresses;
  readonly closing: Closers;
}

export const healthDoorOf = ({ config, closing }: Around, own: () => Promise<Health>): HealthDoor => {
  const { COMMANDS_URL: commands, PROCESSES_URL: processes, BLOBS_URL: blobs } = config;
  const { READ_API_URL: readApi, PROJECTIONS_URL: projections, RATELIMIT_URL: ratelimit, EDITOR_URL: editor } = config;
  const watched = watchedOf({ commands, processes, projections, 'read-api': readApi, blobs, ratelimit, editor });
  const door = openPlatformHealth({ watched, own, version });
  closing.add('questions after health', door.close);
  return door;
};
