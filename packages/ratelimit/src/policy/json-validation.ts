/** Validates JSON and reports faults by JSON pointer (RFC 6901). Checks look only at members they know. */

export interface Fault {
  readonly pointer: string;
  readonly message: string;
}

/** Faults that are reported; the first ones are enough to identify a broken policy. */
const maxFaults = 100;

export interface FaultCollector {
  readonly add: (pointer: string, message: string) => void;
  /** No more faults are collected. */
  readonly isFull: () => boolean;
  readonly all: () => readonly Fault[];
}

export const createFaultCollector = (): FaultCollector => {
  const all: Fault[] = [];
  return {
    add: (pointer, message) => {
      if (all.length < maxFaults) all.push({ pointer, message });
    },
    isFull: () => all.length >= maxFaults,
    all: () => all,
  };
};

export type Check = (value: unknown, pointer: string, faults: FaultCollector) => void;

export type JsonObject = { readonly [name: string]: unknown };

const maxNameLength = 64;

/** Pointer of a member, with its name escaped. */
export const childPointer = (pointer: string, name: string | number): string => {
  if (typeof name === 'number') return `${pointer}/${name}`;
  const truncated = name.length > maxNameLength ? name.slice(0, maxNameLength) : name;
  if (!truncated.includes('~') && !truncated.includes('/')) return `${pointer}/${truncated}`;
  return `${pointer}/${truncated.replaceAll('~', '~0').replaceAll('/', '~1')}`;
};

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const integer =
  (min: number, max: number): Check =>
  (value, pointer, faults) => {
    if (!Number.isSafeInteger(value) || (value as number) < min || (value as number) > max)
      faults.add(pointer, `is to be a whole number from ${min} to ${max}.`);
  };

const maxTextLength = 256;

export const text: Check = (value, pointer, faults) => {
  if (typeof value !== 'string' || value === '' || value.length > maxTextLength || !value.isWellFormed())
    faults.add(pointer, `is to be a text of 1 to ${maxTextLength} characters.`);
};

export const oneOf =
  (...values: readonly string[]): Check =>
  (value, pointer, faults) => {
    if (typeof value !== 'string' || !values.includes(value))
      faults.add(pointer, `is to be one of: ${values.join(', ')}.`);
  };

interface ObjectShape {
  readonly required?: { readonly [name: string]: Check };
  readonly optional?: { readonly [name: string]: Check };
}

export const objectOf = ({ required = {}, optional = {} }: ObjectShape): Check => {
  const [requiredChecks, optionalChecks] = [Object.entries(required), new Map(Object.entries(optional))];
  return (value, pointer, faults) => {
    if (!isJsonObject(value)) return faults.add(pointer, 'is to be an object.');
    for (const [name, check] of requiredChecks) {
      if (Object.hasOwn(value, name)) check(value[name], childPointer(pointer, name), faults);
      else faults.add(childPointer(pointer, name), 'is missing.');
    }
    for (const name of Object.keys(value)) {
      if (Object.hasOwn(required, name)) continue;
      const check = optionalChecks.get(name);
      if (check === undefined) faults.add(childPointer(pointer, name), 'is not known.');
      else if (value[name] !== undefined) check(value[name], childPointer(pointer, name), faults);
    }
  };
};

export interface SizeBounds {
  readonly min?: number;
  readonly max: number;
}

export const listOf =
  (check: Check, { min = 0, max }: SizeBounds): Check =>
  (value, pointer, faults) => {
    if (!Array.isArray(value)) return faults.add(pointer, 'is to be a list.');
    if (value.length < min || value.length > max)
      return faults.add(pointer, `is to have from ${min} to ${max} entries.`);
    for (let index = 0; index < value.length; index += 1) check(value[index], childPointer(pointer, index), faults);
  };

/** An object with arbitrary names. */
export const mapOf =
  (check: Check, { min = 0, max }: SizeBounds): Check =>
  (value, pointer, faults) => {
    if (!isJsonObject(value)) return faults.add(pointer, 'is to be an object.');
    const entries = Object.entries(value);
    if (entries.length < min || entries.length > max)
      return faults.add(pointer, `is to have from ${min} to ${max} members.`);
    for (const [name, member] of entries) {
      text(name, childPointer(pointer, name), faults);
      check(member, childPointer(pointer, name), faults);
    }
  };
