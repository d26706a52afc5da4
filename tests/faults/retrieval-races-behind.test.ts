/** What is taken away is gone with the answer, also where no view moves any more. */
import { rounds, useRaces } from './retrieval-races/races';

describe('what is taken away while views stand still', function () {
  this.timeout(1_200_000);
  const races = useRaces();

  it(`is not in any answer from then on, ${rounds} times each way`, async () => {
    await races.prepare('still');
    await races.stopProjector();
    await races.raceAll('still');
  });
});
