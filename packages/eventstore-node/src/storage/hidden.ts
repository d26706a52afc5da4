/** What `$all` leaves out: the notes of persistent subscriptions to it, which would otherwise follow themselves. */
import { streamOf } from './record';

const prefix = Buffer.from('$persistentsubscription-$all::');
const suffixes = [Buffer.from('-checkpoint'), Buffer.from('-parked')];

const startsWith = (name: Buffer): boolean => name.subarray(0, prefix.length).equals(prefix);
const endsWith = (name: Buffer, suffix: Buffer): boolean =>
  name.length >= prefix.length + suffix.length && name.subarray(name.length - suffix.length).equals(suffix);

export const isHidden = (bytes: Buffer): boolean => {
  const name = streamOf(bytes);
  if (name[0] !== 0x24 || !startsWith(name)) return false;
  return suffixes.some((suffix) => endsWith(name, suffix));
};
