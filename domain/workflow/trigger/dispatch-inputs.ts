/** Inputs of a manual dispatch: as callers send them, as a workflow declares them, and with the types that expressions see. */
import { type Either, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { finite, type InputFault, mapOf, text } from '../../kernel/codec';

const InputName = text('InputName', { maxLength: 100 });
const InputText = text('InputValue', { content: 'any', minLength: 0, maxLength: 10_000, pattern: '[^\\u0000]*' });
const most = 25;

export const DispatchInputs = mapOf('DispatchInputs', { key: InputName, value: InputText, most });
export type DispatchInputs = t.TypeOf<typeof DispatchInputs>;

/** Booleans and numbers as such. */
export const TypedInputs = mapOf('TypedInputs', {
  key: InputName,
  value: t.union([InputText, t.boolean, finite], 'TypedInputValue'),
  most,
});
export type TypedInputs = t.TypeOf<typeof TypedInputs>;

export interface DispatchInput {
  readonly name: string;
  readonly description: string | undefined;
  readonly type: 'string' | 'boolean' | 'number' | 'choice' | 'environment';
  readonly required: boolean;
  readonly default: string | undefined;
  readonly options: readonly string[];
}

type InputRule = Pick<DispatchInput, 'type' | 'options'>;

export const fitsInput = ({ type, options }: InputRule, value: string): boolean => {
  switch (type) {
    case 'boolean':
      return value === 'true' || value === 'false';
    case 'number':
      return value.trim() !== '' && Number.isFinite(Number(value));
    case 'choice':
      return options.includes(value);
    case 'string':
    case 'environment':
      return true;
  }
};

const typed = (type: DispatchInput['type'], value: string): string | boolean | number => {
  if (type === 'boolean') return value === 'true';
  return type === 'number' && value !== '' ? Number(value) : value;
};

const shorten = (list: string): string => (list.length > 300 ? `${list.slice(0, 299)}…` : list);

const expectedOf = ({ type, options }: InputRule): string => {
  if (type === 'boolean') return 'true or false';
  return type === 'number' ? 'a number' : shorten(`one of ${options.join(', ')}`);
};

/** As GitHub bounds the inputs of a dispatch. */
const longestInputs = 65_535;

const pointerTo = (name: string): string => `/inputs/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** The declared inputs with their values or defaults; an input with neither is empty, or false. Left: every fault, by pointers from `/inputs`. */
export const typedInputs = (
  declared: readonly DispatchInput[],
  given: DispatchInputs,
): Either<readonly InputFault[], TypedInputs> => {
  const faults: InputFault[] = [];
  const names = declared.map(({ name }) => name);
  const expected = names.length === 0 ? 'omitted: the workflow has no inputs' : shorten(`one of ${names.join(', ')}`);
  for (const name of Object.keys(given))
    if (!names.includes(name))
      faults.push({ pointer: pointerTo(name), expected: `an input of the workflow: ${expected}` });
  const length = Object.values(given).reduce((sum, value) => sum + value.length, 0);
  if (length > longestInputs)
    faults.push({ pointer: '/inputs', expected: `at most ${longestInputs} characters in all` });
  const values: { [name: string]: string | boolean | number } = {};
  for (const input of declared) {
    const { name, type, required } = input;
    const value = given[name] ?? input.default ?? '';
    if (value === '' && required)
      faults.push({ pointer: pointerTo(name), expected: 'a value: the workflow requires it' });
    else if (value !== '' && !fitsInput(input, value))
      faults.push({ pointer: pointerTo(name), expected: expectedOf(input) });
    values[name] = typed(type, value);
  }
  return faults.length > 0 ? left(faults) : right(values);
};

/** As the payload of the event has them. */
export const inputTexts = (inputs: TypedInputs): DispatchInputs =>
  Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, String(value)]));
