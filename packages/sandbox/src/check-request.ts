/** Refuses requests that no program can be started with, and requests that would reach bubblewrap as options of its own. */
import { type Either, right } from 'fp-ts/Either';
import { reject } from '../../../domain/kernel/rejection';
import type { ExecRequest, ProgramRejection } from './ports';

/** Linux takes 128 KiB for one string, and a quarter of the stack, 2 MiB, for all. */
const maxStringBytes = 98_304;
const maxTotalBytes = 1_048_576;

/** bubblewrap takes 9,000 arguments; a variable is three. */
const maxVariables = 2_000;

const variableName = /^[^=\0]+$/;

const bytesOf = (text: string): number => Buffer.byteLength(text) + 1;

export const checkRequest = (request: ExecRequest): Either<ProgramRejection, void> => {
  const { argv, environment = {}, directory = '/' } = request;
  const variables = Object.entries(environment);
  if (argv[0] === undefined || argv[0] === '') return reject('program-refused', 'No program is named.');
  if (!directory.startsWith('/')) return reject('program-refused', 'The directory is not absolute.');
  if (variables.length > maxVariables)
    return reject('program-refused', `The environment has more than ${maxVariables} variables.`);
  if (variables.some(([name]) => !variableName.test(name)))
    return reject('program-refused', 'A variable has no name, or its name has an equals sign or a NUL.');
  const strings = [...argv, directory, ...variables.map(([name, value]) => `${name}=${value}`)];
  // NUL separates the options of bubblewrap: what follows one would be an option, such as a mount of the machine's root.
  if (strings.some((text) => text.includes('\0')))
    return reject('program-refused', 'An argument, a variable or the directory has a NUL.');
  const sizes = strings.map(bytesOf);
  if (sizes.some((size) => size > maxStringBytes))
    return reject('program-refused', `An argument or a variable is longer than ${maxStringBytes} bytes.`);
  if (sizes.reduce((sum, size) => sum + size, 0) > maxTotalBytes)
    return reject('program-refused', `Arguments and environment are longer than ${maxTotalBytes} bytes.`);
  return right(undefined);
};
