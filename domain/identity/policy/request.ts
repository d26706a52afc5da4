/** What a policy decides about: a request, with what was verified of its caller. */
import type { Binding } from './document';

export interface PolicyRequest {
  readonly tenantId: string;
  readonly principalId: string;
  readonly principalType: string;
  readonly clientId?: string | undefined;
  /** HEAD counts as GET. */
  readonly method: string;
  /** Of the path; undefined: servers read it differently (`pathSegments`). */
  readonly segments: readonly string[] | undefined;
  readonly routeGroup?: string | undefined;
  readonly operation?: string | undefined;
  /** That the route requires. */
  readonly scopes: readonly string[];
  readonly audience: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly address?: string | undefined;
  readonly binding: Binding;
  /** Of the token: `role:admin`, `environment:production`, `delegated`. */
  readonly authContext: readonly string[];
  readonly authenticationMethods: readonly string[];
  /** Milliseconds since 1970. Undefined: no person signed in. */
  readonly authenticatedAt?: number | undefined;
  readonly multiFactor: boolean;
  readonly delegation?:
    | { readonly delegationId: string; readonly taskId: string; readonly onBehalfOf: string }
    | undefined;
}

const rolePrefix = 'role:';
/** No attribute is called `role`. */
const attested = (attribute: string, value: string): string => `${attribute}:${value}`;
/** Of an entry of the claim; longer values are left out. */
const maxContextLength = 256;

/** As tokens state a role. */
export const roleContext = (role: string): string => `${rolePrefix}${role}`;
/** As tokens state what a workload's platform attests of its environment. */
export const environmentContext = (environment: string): string => attested('environment', environment);

/** As tokens state all that a workload's platform attests: `repository:octo-org/octo-repo`, `branch:main`. */
export const attestedContext = (attributes: { readonly [attribute: string]: string }): readonly string[] =>
  Object.entries(attributes)
    .map(([attribute, value]) => attested(attribute, value))
    .filter((entry) => entry.length <= maxContextLength);
