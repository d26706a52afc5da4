/** The doors of the editor: sockets of those who have a document open, and requests of those who do without. */
import type { BoundRoute } from '../../../infra/http/route';
import type { Upgrade } from '../../../infra/http/upgrade';
import type { Random } from '../../../infra/ports/random';
import { socketDoor } from '../../../infra/ws/door';
import type { SessionDeps } from './deps';
import { contentRoutes } from './http/routes';
import { editorPace, editorSocket, largestEditorMessage } from './socket';
import { ownerDoor } from './whereabouts';

export interface DoorsOptions extends SessionDeps {
  readonly random: Random;
}

export interface Doors {
  readonly routes: readonly BoundRoute[];
  readonly upgrade: Upgrade;
}

export const openDoors = (options: DoorsOptions): Doors => {
  const { callerKeys, log, signal } = options;
  const here = socketDoor({
    ...{ routes: [editorSocket(options)], callerKeys, log, signal },
    ...{ pace: editorPace, largestMessage: largestEditorMessage },
    // The operation that it is in is rejected.
    tooDeep: 'cut',
  });
  return { routes: contentRoutes(options), upgrade: ownerDoor(options, here) };
};
