/** Approximate size of a node, cheap enough to compute on every change. */
import type { TextState } from '../../text/text-state';

/** Of a number, boolean or null. */
const bytesOfScalar = 8;
const bytesOfDelimiters = 2;

const bytesOfRecord = (value: object): number => {
  let bytes = bytesOfDelimiters;
  for (const name in value)
    bytes += name.length + bytesOfDelimiters + bytesOfValue((value as { [name: string]: unknown })[name]);
  return bytes;
};

const bytesOfValue = (value: unknown): number => {
  if (typeof value === 'string') return value.length + bytesOfDelimiters;
  if (typeof value !== 'object' || value === null) return bytesOfScalar;
  if (!Array.isArray(value)) return bytesOfRecord(value);
  let bytes = bytesOfDelimiters;
  for (const item of value) bytes += bytesOfValue(item);
  return bytes;
};

interface NodeContent {
  readonly properties: object;
  readonly text?: TextState;
}

/** Size of properties and text. */
export const nodeBytes = ({ properties, text }: NodeContent): number =>
  bytesOfRecord(properties) + (text === undefined ? 0 : text.base.length + (text.latest?.bytes ?? 0));
