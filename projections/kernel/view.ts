/** What a `view.ts` is made of; the query side reads views through these types too. */
export type { Change, IndexView, TableView } from '../../infra/ports/view-store';
