/** An import, for writers of its source: others neither replace its file nor start or cancel it. */
import { type Either, isLeft, left } from 'fp-ts/Either';
import type { ImportId } from '../../../domain/geo/ids';
import { type ImportState, placeImport } from '../../../domain/geo/import/decider';
import { importStream } from '../../../domain/geo/import/events';
import { type Problem, problemOf } from '../../../infra/server/http/problem';
import { loadStream, type StreamSource } from '../../kernel/load-stream';
import { requireSource, type SourceWriter } from '../sources/source-access';

export const loadOwnImport = async (
  deps: StreamSource,
  writer: SourceWriter,
  importId: ImportId,
): Promise<Either<Problem, ImportState>> => {
  const state = await loadStream(deps, placeImport, importStream(writer.tenant, importId));
  if (isLeft(state)) return left(problemOf(state.left, {}));
  if (state.right.kind === 'none') return state;
  const permitted = await requireSource(deps, writer, state.right.definition.source);
  return isLeft(permitted) ? permitted : state;
};
