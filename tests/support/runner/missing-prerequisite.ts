/** A hook or test that fails with it is skipped, with the message as the reason. */
export class MissingPrerequisite extends Error {
  override readonly name = 'MissingPrerequisite';
}
