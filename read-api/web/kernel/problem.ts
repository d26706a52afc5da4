/** Why something was not answered, in the server's own words (RFC 9457). */

export interface InputFault {
  readonly pointer: string;
  readonly expected: string;
}

export interface Problem {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  readonly errors: readonly InputFault[];
  /** Whoever operates the system finds the request by it. */
  readonly requestId: string | undefined;
  /** Of `insufficient-user-authentication` (RFC 9470): whether a second factor is asked for, too. */
  readonly wantsSecondFactor?: boolean;
}

export const unreachable: Problem = {
  status: 0,
  code: 'unreachable',
  title: 'The server cannot be reached',
  detail: 'Check the connection, then try again.',
  errors: [],
  requestId: undefined,
};

type Fields = { readonly [field: string]: unknown };

const fieldsOf = (content: unknown): Fields =>
  typeof content === 'object' && content !== null ? (content as Fields) : {};

const textOr = (value: unknown, fallback: string): string => (typeof value === 'string' ? value : fallback);

const faultOf = (content: unknown): InputFault => {
  const { pointer, expected } = fieldsOf(content);
  return { pointer: textOr(pointer, ''), expected: textOr(expected, '') };
};

export const problemIn = (response: Response, content: unknown): Problem => {
  const { title, detail, code, errors } = fieldsOf(content);
  return {
    status: response.status,
    code: textOr(code, 'unknown'),
    title: textOr(title, `The server answered ${response.status}`),
    detail: textOr(detail, 'It gave no reason.'),
    errors: Array.isArray(errors) ? errors.map(faultOf) : [],
    requestId: response.headers.get('x-request-id') ?? undefined,
    wantsSecondFactor: (response.headers.get('www-authenticate') ?? '').includes('acr_values='),
  };
};
