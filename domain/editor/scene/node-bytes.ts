/** About how much a node holds: nothing is encoded for it, so it can be asked with every change. */
import type { TextState } from '../text/state';

/** Of a number, a boolean, null; around a text, a list, an object. */
const bytesOfScalar = 8;
const bytesAround = 2;

const bytesOfNamed = (value: object): number => {
  let bytes = bytesAround;
  for (const name in value)
    bytes += name.length + bytesAround + bytesOfValue((value as { [name: string]: unknown })[name]);
  return bytes;
};

const bytesOfValue = (value: unknown): number => {
  if (typeof value === 'string') return value.length + bytesAround;
  if (typeof value !== 'object' || value === null) return bytesOfScalar;
  if (!Array.isArray(value)) return bytesOfNamed(value);
  let bytes = bytesAround;
  for (const item of value) bytes += bytesOfValue(item);
  return bytes;
};

interface Holding {
  readonly properties: object;
  readonly text?: TextState;
}

/** Its properties and its text. */
export const nodeBytes = ({ properties, text }: Holding): number =>
  bytesOfNamed(properties) + (text === undefined ? 0 : text.base.length + (text.latest?.bytes ?? 0));
