/** Every service's part of the console: a line each. The first link is where the console begins. */
import { identity } from '../identity/section';
import { platform } from '../platform/section';
import type { Section } from './section';

export const sections: readonly Section[] = [platform, identity];
