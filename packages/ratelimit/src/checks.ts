/** Checks of JSON that name what is wrong by its place (JSON pointer, RFC 6901). They look at what they know and at nothing deeper. */

export interface Fault {
  readonly pointer: string;
  readonly message: string;
}

/** As many are told; a policy that is all wrong is told apart by its first ones. */
const mostFaults = 100;

export interface Faults {
  readonly add: (pointer: string, message: string) => void;
  /** No more are told. */
  readonly isFull: () => boolean;
  readonly all: () => readonly Fault[];
}

export const openFaults = (): Faults => {
  const all: Fault[] = [];
  return {
    add: (pointer, message) => {
      if (all.length < mostFaults) all.push({ pointer, message });
    },
    isFull: () => all.length >= mostFaults,
    all: () => all,
  };
};

export type Check = (value: unknown, pointer: string, faults: Faults) => void;

export type Members = { readonly [name: string]: unknown };

const longestShown = 64;

/** Of a member, with its name as pointers write it. */
export const at = (pointer: string, name: string | number): string => {
  if (typeof name === 'number') return `${pointer}/${name}`;
  const shown = name.length > longestShown ? name.slice(0, longestShown) : name;
  if (!shown.includes('~') && !shown.includes('/')) return `${pointer}/${shown}`;
  return `${pointer}/${shown.replaceAll('~', '~0').replaceAll('/', '~1')}`;
};

export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const integer =
  (least: number, most: number): Check =>
  (value, pointer, faults) => {
    if (!Number.isSafeInteger(value) || (value as number) < least || (value as number) > most)
      faults.add(pointer, `is to be a whole number from ${least} to ${most}.`);
  };

const longestText = 256;

export const text: Check = (value, pointer, faults) => {
  if (typeof value !== 'string' || value === '' || value.length > longestText || !value.isWellFormed())
    faults.add(pointer, `is to be a text of 1 to ${longestText} characters.`);
};

export const oneOf =
  (...values: readonly string[]): Check =>
  (value, pointer, faults) => {
    if (typeof value !== 'string' || !values.includes(value))
      faults.add(pointer, `is to be one of: ${values.join(', ')}.`);
  };

interface Shape {
  readonly required?: { readonly [name: string]: Check };
  readonly optional?: { readonly [name: string]: Check };
}

export const members = ({ required = {}, optional = {} }: Shape): Check => {
  const [requiredChecks, optionalChecks] = [Object.entries(required), new Map(Object.entries(optional))];
  return (value, pointer, faults) => {
    if (!isMembers(value)) return faults.add(pointer, 'is to be an object.');
    for (const [name, check] of requiredChecks) {
      if (Object.hasOwn(value, name)) check(value[name], at(pointer, name), faults);
      else faults.add(at(pointer, name), 'is missing.');
    }
    for (const name of Object.keys(value)) {
      if (Object.hasOwn(required, name)) continue;
      const check = optionalChecks.get(name);
      if (check === undefined) faults.add(at(pointer, name), 'is not known.');
      else if (value[name] !== undefined) check(value[name], at(pointer, name), faults);
    }
  };
};

export interface Size {
  readonly least?: number;
  readonly most: number;
}

export const listOf =
  (check: Check, { least = 0, most }: Size): Check =>
  (value, pointer, faults) => {
    if (!Array.isArray(value)) return faults.add(pointer, 'is to be a list.');
    if (value.length < least || value.length > most)
      return faults.add(pointer, `is to have from ${least} to ${most} entries.`);
    for (let index = 0; index < value.length; index += 1) check(value[index], at(pointer, index), faults);
  };

/** Names are the policy's own. */
export const mapOf =
  (check: Check, { least = 0, most }: Size): Check =>
  (value, pointer, faults) => {
    if (!isMembers(value)) return faults.add(pointer, 'is to be an object.');
    const entries = Object.entries(value);
    if (entries.length < least || entries.length > most)
      return faults.add(pointer, `is to have from ${least} to ${most} members.`);
    for (const [name, member] of entries) {
      text(name, at(pointer, name), faults);
      check(member, at(pointer, name), faults);
    }
  };
