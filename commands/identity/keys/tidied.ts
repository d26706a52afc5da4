/** What a request made and the log does not have in the end goes again, and this process knows at once what it did itself. */
import { isLeft } from 'fp-ts/Either';
import type { Answer, Route, RouteRequest } from '../../../infra/http/route';
import type { KeyDeps } from './decided';
import { destroyUnrecorded } from './make-key';

type Handle<Deps, Params, Body> = (deps: Deps, request: RouteRequest<Params, unknown, Body>) => Promise<Answer>;

export const tidied =
  <Deps extends KeyDeps, Params, Body>({
    handle,
  }: Pick<Route<Deps, Params, unknown, Body>, 'handle'>): Handle<Deps, Params, Body> =>
  async (deps, request) => {
    const made: string[] = [];
    const create: KeyDeps['kms']['create'] = async (wanted) => {
      const key = await deps.kms.create(wanted);
      if (!isLeft(key)) made.push(key.right.kid);
      return key;
    };
    const answer = await handle({ ...deps, kms: { ...deps.kms, create } }, request);
    await deps.keys.refresh();
    for (const kid of made) await destroyUnrecorded(deps, kid);
    return answer;
  };
