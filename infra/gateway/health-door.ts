/** The platform's health: the gateway asks each copy of each service whose address it was given. */
import type { Health } from '../ports/health';
import { systemServices } from '../services';
import type { Closers } from '../shutdown';
import { version } from '../version';
import { type Config, urlOf } from './config';
import { type HealthDoor, openPlatformHealth, watchedOf } from './platform-health';

interface Around {
  readonly config: Partial<Config>;
  readonly closing: Closers;
}

export const healthDoorOf = ({ config, closing }: Around, own: () => Promise<Health>): HealthDoor => {
  const watched = watchedOf(Object.fromEntries(systemServices.map(({ name }) => [name, urlOf(config, name)])));
  const door = openPlatformHealth({ watched, own, version });
  closing.add('questions after health', door.close);
  return door;
};
