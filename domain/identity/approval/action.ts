/** The exact action that a person approves: a request of an agent, with everything that makes it another one. */
import { canonicalJson } from './canonical-json';

export interface ExactAction {
  readonly method: string;
  readonly path: string;
  /** Without its question mark, as it stands in the request line; null: none. */
  readonly query: string | null;
  /** A JSON value; undefined: the request has no body. */
  readonly body: unknown;
  readonly audience: string;
  readonly tenantId: string;
  readonly agentId: string;
  readonly delegationId: string | null;
  readonly taskId: string | null;
}

/** Path and query of a request target. */
export const splitTarget = (target: string): Pick<ExactAction, 'path' | 'query'> => {
  const mark = target.indexOf('?');
  return mark < 0 ? { path: target, query: null } : { path: target.slice(0, mark), query: target.slice(mark + 1) };
};

/** Its SHA-256 is what an approval is bound to. Undefined: the body is not such that all parsers read it alike. */
export const canonicalAction = ({ body, ...action }: ExactAction): string | undefined => {
  const { method, path, query, audience, tenantId, agentId, delegationId, taskId } = action;
  const fixed = { method, path, query, audience, tenantId, agentId, delegationId, taskId };
  return canonicalJson(body === undefined ? fixed : { ...fixed, body });
};
