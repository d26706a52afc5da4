/** What the parts of the gateway are opened with. */
import type { ServiceContext } from '../service';
import type { Closers } from '../shutdown';
import type { Config } from './config';

export interface Opened {
  readonly config: Config;
  readonly context: ServiceContext;
  readonly closing: Closers;
}
