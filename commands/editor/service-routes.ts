/** Routes of the editor service: content at the copy that owns the document, and duplicates, which every copy makes. */
import { type BoundRoute, bind } from '../../infra/server/http/routing/route';
import { type DuplicateDeps, duplicateRoute } from './document/duplicate';
import { type ContentDeps, contentRoutes } from './sessions/http/routes';

export interface EditorServiceDeps {
  readonly content: ContentDeps;
  readonly duplication: DuplicateDeps;
}

export const editorServiceRoutes = ({ content, duplication }: EditorServiceDeps): readonly BoundRoute[] => [
  ...contentRoutes(content),
  bind(duplication, duplicateRoute),
];
