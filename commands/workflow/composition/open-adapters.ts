/** The parser of definitions, repositories and access tokens of the workflow service. */
import { isLeft } from 'fp-ts/Either';
import { limits } from '../../../domain/workflow/limits';
import { openGit } from '../../../infra/adapters/git/open-git';
import { openDefinitions } from '../../../infra/adapters/workflow-definitions/definitions';
import type { EventStore } from '../../../infra/ports/event-store';
import { anyText, type ConfigOf, oneOfWords, variables, withDefault } from '../../../infra/server/runtime/config';
import type { ServiceContext } from '../../../infra/server/runtime/service';
import { openAccessTokens } from '../../../infra/server/security-state/access-tokens';
import { openRevocationState } from '../../../infra/server/security-state/revocation-state';
import type { WorkflowAdapters } from '../adapters';
import { cacheWorkflowFiles } from '../repositories/cache-workflow-files';

export const adapterVariables = {
  /** Bare repositories, a directory each. */
  REPOSITORIES_DIR: withDefault(anyText, '.data/repositories'),
  /** Remote repositories may be fetched from the installation's own network. */
  PRIVATE_ADDRESSES: withDefault(oneOfWords('refuse', 'allow'), 'refuse'),
  ISSUER: variables.ISSUER,
  AUDIENCE: withDefault(anyText, 'septet'),
};

export type OpenedAdapters = Pick<WorkflowAdapters, 'definitions' | 'git' | 'accessTokens' | 'rights'> & {
  readonly close: () => Promise<unknown>;
};

export const openAdapters = async (
  values: ConfigOf<typeof adapterVariables>,
  store: EventStore,
  context: ServiceContext,
): Promise<OpenedAdapters> => {
  const { log } = context;
  const git = await openGit({
    directory: values.REPOSITORIES_DIR,
    log,
    files: { maxFiles: limits.definitionFiles, maxBytes: limits.definitionBytes },
    remote: { allowPrivate: values.PRIVATE_ADDRESSES === 'allow' },
  });
  if (isLeft(git)) log.warn({ reason: git.left }, 'repositories are off');
  const definitions = openDefinitions({
    onParserError: (error) => log.error({ error }, 'the parser of workflow files failed'),
  });
  const { ISSUER: issuer, AUDIENCE: audience } = values;
  const { knowledge: revocations, rights } = openRevocationState(store, context);
  return {
    definitions,
    git: isLeft(git) ? undefined : cacheWorkflowFiles(git.right),
    rights,
    accessTokens: openAccessTokens({ store, revocations, issuer, audience, log }),
    close: () => Promise.all([definitions.close(), ...(isLeft(git) ? [] : [git.right.close()])]),
  };
};
