/** Request headers that the SDK cannot set, or sets with unwanted side effects. */

interface Step {
  readonly request: { readonly headers: Record<string, string> };
}

interface Stack {
  readonly add: (
    middleware: (next: (step: Step) => unknown) => (step: Step) => unknown,
    options: { readonly step: 'build'; readonly name: string },
  ) => void;
}

/** Adds the header before the request is signed, so that the signature covers it. */
const withHeader = <Command extends { readonly middlewareStack: unknown }>(
  command: Command,
  name: string,
  value: string,
): Command => {
  const stack = command.middlewareStack as Stack;
  stack.add(
    (next) => (step) => {
      step.request.headers[name] = value;
      return next(step);
    },
    { step: 'build', name },
  );
  return command;
};

/**
 * The hash of the payload becomes part of the signature, and every S3 holds the body against it. Without one in advance
 * streams are sent unsigned.
 */
export const payloadSigned = <Command extends { readonly middlewareStack: unknown }>(
  command: Command,
  sha256: string | undefined,
): Command => (sha256 === undefined ? command : withHeader(command, 'x-amz-content-sha256', sha256));

/** As a header: with the command's parameter the SDK would verify the checksum a second time. */
export const withChecksumMode = <Command extends { readonly middlewareStack: unknown }>(command: Command): Command =>
  withHeader(command, 'x-amz-checksum-mode', 'ENABLED');
