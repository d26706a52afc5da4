/** The search service: finds places for the gateway's callers. It can change nothing, and any number of processes may run. */
import { type Either, isLeft } from 'fp-ts/Either';
import type { Instant } from '../../../domain/kernel/codec';
import type { Fault } from '../../../domain/kernel/rejection';
import type { Clock } from '../../../infra/ports/runtime/clock';
import type { Health, PartHealth } from '../../../infra/ports/runtime/health';
import type { ViewReader } from '../../../infra/ports/views/view-store';
import { callerVariables, serve } from '../../../infra/server/http/routing/serve';
import { type ConfigOf, variables } from '../../../infra/server/runtime/config';
import { runProcess, type ServiceContext, service } from '../../../infra/server/runtime/service';
import { placeCardsView } from '../../../projections/geo/place-cards/view';
import { placeIndexView } from '../../../projections/geo/place-index/view';
import { placesView } from '../../../projections/geo/places/view';
import { cardVariables, openIndexes, openViews, viewVariables } from '../../composition/view-readers';
import { queriesOnly } from '../../kernel/queries-only';
import { createViewPositions } from '../../kernel/read-your-writes';
import { searchCursors } from './cursor';
import { openPlaceCards } from './place-cards';
import { rememberPositions } from './remembered-positions';
import { searchRoutes } from './search-route';
import { openTimeZones } from './time-zones';

const config = {
  HOST: variables.HOST,
  PORT: variables.PORT,
  ...callerVariables,
  SEARCH_CURSOR_KEY: variables.CURSOR_KEY,
  ...viewVariables,
  ...cardVariables,
};
type Config = ConfigOf<typeof config>;

const clock: Clock = { now: () => new Date().toISOString() as Instant };

const partOf = (found: Either<Fault, unknown>): PartHealth =>
  isLeft(found) ? { ok: false, detail: found.left.detail } : { ok: true };

/** Always ready: searches of an unavailable index are refused with the reason. */
const healthOf = (views: ViewReader) => async (): Promise<Health> => {
  const order = [{ field: 'entityId', direction: 'asc' }] as const;
  const [tables, index, cards] = await Promise.all([
    views.checkpoint(placesView),
    views.page(placeIndexView, 'nobody', { where: {}, order, limit: 1 }),
    views.checkpoint(placeCardsView),
  ]);
  return { ready: true, parts: { postgres: partOf(tables), elasticsearch: partOf(index), redis: partOf(cards) } };
};

const start = async (values: Config, context: ServiceContext) => {
  const views = openViews(values, values);
  const indexes = openIndexes(values);
  const routes = searchRoutes({
    positions: rememberPositions(createViewPositions(views), () => performance.now()),
    cards: openPlaceCards(views),
    indexes,
    timeZones: openTimeZones(indexes),
    cursors: searchCursors(values.SEARCH_CURSOR_KEY),
    clock,
  });
  const close = () => Promise.all([views.close(), indexes.close()]);
  return serve({ config: values, context, routes: queriesOnly(routes), health: healthOf(views), close });
};

const search = service({ name: 'search', config, start });

export { search as service };

if (require.main === module) runProcess(search);
