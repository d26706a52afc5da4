/** The operation of the API that a request of an agent is, by the served document. */
import { approvableOperations } from './approvable-operations';

export interface ApprovableOperation {
  readonly operation: string;
  readonly summary: string;
  readonly scopes: readonly string[];
  /** False: its body is a file or a stream, which no person can read before it is sent. */
  readonly isReadable: boolean;
}

interface OperationPattern extends ApprovableOperation {
  readonly method: string;
  readonly shape: RegExp;
}

const special = /[.*+?^$()|[\]\\]/g;
const parameters = /\{[^}]+\}/g;

const patternOf = (line: string): OperationPattern => {
  const [method = '', path = '', kind, operation = '', scopes = '-', ...summary] = line.split(' ');
  return {
    ...{ method, operation, summary: summary.join(' ') },
    shape: new RegExp(`^${path.replaceAll(special, '\\$&').replaceAll(parameters, '[^/]+')}$`),
    scopes: scopes === '-' ? [] : scopes.split(','),
    isReadable: kind === 'json',
  };
};

const patterns = approvableOperations.split('\n').filter(Boolean).map(patternOf);

export const findOperation = (method: string, path: string): ApprovableOperation | undefined => {
  // The first shape decides, whatever its methods: the gateway matches paths before methods.
  const found = patterns.find(({ shape }) => shape.test(path));
  return found && patterns.find((one) => one.shape.source === found.shape.source && one.method === method);
};
