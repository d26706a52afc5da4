/** Errors in the format of OpenAI's API, with the members of problem+json beside it. */

import type { DenialResponse, Unit } from '../../../packages/ratelimit/src/index';
import type { Problem } from '../../server/http/problem';

interface ModelError {
  readonly message: string;
  readonly type: string;
  readonly param: null;
  readonly code: string;
}

const errorOf = (status: number, code: string, message: string): ModelError => {
  return { message, type: status < 500 ? 'invalid_request_error' : 'server_error', param: null, code };
};

export const modelProblem = (refused: Problem): Problem => {
  const { status, code, detail } = refused.problem;
  const problem = { ...refused.problem, error: errorOf(status, code, detail) };
  return { ...refused, problem };
};

/** Limit family in OpenAI's terms. */
const limitFamilyOf = (unit: Unit | undefined): string => (unit?.endsWith('tokens') ? 'tokens' : 'requests');

/** By the unit of the limit that refused. */
export const modelRefusal = ({ status, body: { error: code, ...body } }: DenialResponse, unit?: Unit): object => {
  const error = errorOf(status, code, body.message);
  if (status !== 429) return { ...body, error };
  return { ...body, error: { ...error, type: limitFamilyOf(unit), code: 'rate_limit_exceeded' } };
};
