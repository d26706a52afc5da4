/** A repository is created once under its name, and deleted. The name of a deleted repository is not given away again. */
import { type Either, right } from 'fp-ts/Either';
import type { Decider } from '../../kernel/decider';
import { type Rejection, reject } from '../../kernel/rejection';
import type { RepositoryId } from '../ids';
import { type RepositoryEvent, repositories } from './events';

export type RepositoryDefinition = Omit<Extract<RepositoryEvent, { type: 'RepositoryCreated' }>['data'], 'repoId'>;
interface Named {
  readonly repoId: RepositoryId;
}
export type RepositoryCommand =
  | ({ readonly type: 'CreateRepository' } & Named & RepositoryDefinition)
  | (Named & { readonly type: 'ChangeDefaultBranch'; readonly defaultBranch: string })
  | (Named & { readonly type: 'DeleteRepository' });

export type RepositoryState =
  | { readonly kind: 'none' }
  | ({ readonly kind: 'created' } & RepositoryDefinition)
  | { readonly kind: 'deleted' };

export type RepositoryRejection = 'repository-unknown' | 'repository-name-taken';

type Decision = Either<Rejection<RepositoryRejection>, readonly RepositoryEvent[]>;

const unknown = (): Decision => reject('repository-unknown', 'There is no such repository.');

const decide = (command: RepositoryCommand, state: RepositoryState): Decision => {
  const { repoId } = command;
  switch (command.type) {
    case 'CreateRepository': {
      if (state.kind === 'deleted')
        return reject('repository-name-taken', 'A deleted repository had this name; choose another one.');
      if (state.kind === 'created') return reject('repository-name-taken', 'A repository already has this name.');
      const { type: _, ...data } = command;
      return right([{ type: 'RepositoryCreated', data }]);
    }
    case 'ChangeDefaultBranch': {
      if (state.kind !== 'created') return unknown();
      const { defaultBranch } = command;
      return right(
        state.defaultBranch === defaultBranch
          ? []
          : [{ type: 'DefaultBranchChanged', data: { repoId, defaultBranch } }],
      );
    }
    case 'DeleteRepository':
      if (state.kind === 'none') return unknown();
      return right(state.kind === 'deleted' ? [] : [{ type: 'RepositoryDeleted', data: { repoId } }]);
  }
};

const evolve = (state: RepositoryState, event: RepositoryEvent): RepositoryState => {
  switch (event.type) {
    case 'RepositoryCreated': {
      const { repoId: _, ...definition } = event.data;
      return { kind: 'created', ...definition };
    }
    case 'DefaultBranchChanged':
      return state.kind === 'created' ? { ...state, defaultBranch: event.data.defaultBranch } : state;
    case 'RepositoryDeleted':
      return { kind: 'deleted' };
  }
};

export const repository: Decider<RepositoryCommand, RepositoryState, RepositoryEvent, RepositoryRejection> = {
  family: repositories,
  initial: { kind: 'none' },
  evolve,
  decide,
};
