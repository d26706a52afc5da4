/** The archive of an installation as the last main left it, and what was seen there. */
import { join } from 'node:path';
import type { Filled } from '../installation/contents';
import type { Seen } from './use';

export const archivePath = join(__dirname, 'installation.tar.gz');
export const contentsPath = join(__dirname, 'contents.json');

export interface Contents {
  readonly madeBy: string;
  /** Of the gateway; addresses in `filled` carry it. */
  readonly url: string;
  readonly filled: Filled;
  readonly seen: Seen;
  /** `stream revision type id`, in the order of the log. */
  readonly events: readonly string[];
}

export const withoutData = (events: readonly string[]): readonly string[] =>
  events.map((event) => event.split(' ', 4).join(' '));
