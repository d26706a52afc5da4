/** Adds what the gateway itself refuses to every operation of the OpenAPI document, beside what its service refuses. */
import { problemWith } from '../../server/http/problem-schema';
import { gatewayProblems } from '../problems';

interface ProblemResponse {
  readonly description?: string;
  readonly content?: { readonly [type: string]: unknown };
  readonly 'x-problems'?: { readonly [code: string]: string };
}

interface Operation {
  readonly security?: readonly unknown[];
  readonly 'x-sensitive'?: boolean;
  readonly responses: { readonly [status: string]: ProblemResponse };
}

interface Paths {
  readonly [path: string]: { readonly [method: string]: unknown };
}

type Code = keyof typeof gatewayProblems;

const everywhere = ['malformed-request', 'headers-too-many', 'target-too-long'] as const satisfies readonly Code[];
const withToken = ['token_revoked', 'revoked', 'revocation-state-stale'] as const satisfies readonly Code[];
const withBody = ['request-timeout', 'expectation-failed'] as const satisfies readonly Code[];

const hasBody = (method: string): boolean => method !== 'get' && method !== 'delete';

const codesFor = (method: string, { security = [] }: Operation): readonly Code[] => [
  ...everywhere,
  ...(security.length === 0 ? [] : withToken),
  ...(hasBody(method) ? withBody : []),
];

const addProblem = (responses: Operation['responses'], code: Code): Operation['responses'] => {
  const { status, title } = gatewayProblems[code];
  const { 'x-problems': known = {}, description = '', content, ...own } = responses[status] ?? {};
  const problems = { ...known, [code]: title };
  const response: ProblemResponse = {
    ...own,
    description: [description, `\`${code}\`: ${title}.`].filter(Boolean).join('\n\n'),
    content: { ...content, 'application/problem+json': { schema: problemWith(Object.keys(problems)) } },
    'x-problems': problems,
  };
  return { ...responses, [status]: response };
};

const isOperation = (value: unknown): value is Operation =>
  typeof value === 'object' && value !== null && 'responses' in value;

const withProblems = (method: string, operation: Operation): Operation => {
  const { default: anything, ...responses } = operation.responses;
  // As the service answers, whatever that is.
  if (anything !== undefined) return operation;
  return { ...operation, responses: codesFor(method, operation).reduce(addProblem, responses) };
};

export const withGatewayProblems = (paths: Paths): Record<string, Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(paths).map(([path, methods]) => [
      path,
      Object.fromEntries(
        Object.entries(methods).map(([method, one]) => [method, isOperation(one) ? withProblems(method, one) : one]),
      ),
    ]),
  );
